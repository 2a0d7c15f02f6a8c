import type { SignalDialect } from '#schemas/events/signal-dialect.ts';
import type { EventV1 } from '#schemas/events/versions/v1.ts';
import type { DetectedEvent } from './assembly-slot.ts';
import { eventJson } from './event-json.ts';
import type { OutgoingEvent } from './sinks/event-sink.ts';

/**
 * Converts events for a sink. `identity` is the prefix that makes the sequence number a unique id: the boot id and the
 * kind of numbering. It is null if the source cannot resume.
 */
export function outgoing(
  events: readonly DetectedEvent[],
  identity: string | null,
  dialect: SignalDialect,
): OutgoingEvent[] {
  return events.map(({ event, seq }) =>
    plain(event, identity === null || seq === null ? null : `${identity}:${seq}`, dialect),
  );
}

/** Converts one event in the given dialect. */
export function plain(event: EventV1, ingestId: string | null, dialect: SignalDialect): OutgoingEvent {
  return { json: eventJson(event, dialect), hostname: event.hostname ?? null, ingestId };
}
