import type { SignalDialect } from '#schemas/events/signal-dialect.ts';
import type { EventV1 } from '#schemas/events/versions/v1.ts';
import type { DetectedEvent } from './assembly-slot.ts';
import { eventJson } from './event-json.ts';
import type { OutgoingEvent } from './sinks/event-sink.ts';

/** Events as they leave; `identity` (the boot id, and what numbers the records) makes the sequence number an identity, null where the source has none to resume by. */
export function outgoing(
  events: readonly DetectedEvent[],
  identity: string | null,
  dialect: SignalDialect,
): OutgoingEvent[] {
  return events.map(({ event, seq }) =>
    plain(event, identity === null || seq === null ? null : `${identity}:${seq}`, dialect),
  );
}

/** An event as it goes out, in the dialect asked for. */
export function plain(event: EventV1, ingestId: string | null, dialect: SignalDialect): OutgoingEvent {
  return { json: eventJson(event, dialect), hostname: event.hostname ?? null, ingestId };
}
