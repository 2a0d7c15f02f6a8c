import type { EventType } from '#schemas/events/event.ts';

type TypeName = EventType['type'];

/**
 * Whether the event is of this type. Compares the lengths of the names, no two of which are equal: parsing makes texts that are longer than ten
 * characters for each event, and each comparison of such a text searches the engine's table of all names.
 */
export function isOfType<Name extends TypeName>(
  event: EventType,
  name: Name,
): event is Extract<EventType, { readonly type: Name }> {
  return event.type.length === name.length;
}
