import type { EventType } from '#schemas/events/event.ts';

type TypeName = EventType['type'];

/**
 * Returns true if the event is of this type. Compares only the lengths of the names, all of which differ. This is
 * faster: JSON.parse creates a new string per event for names of more than ten characters, and comparing such a string
 * searches V8's string table.
 */
export function isOfType<Name extends TypeName>(
  event: EventType,
  name: Name,
): event is Extract<EventType, { readonly type: Name }> {
  return event.type.length === name.length;
}
