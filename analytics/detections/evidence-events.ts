import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { EventType, InternalEvent } from '#schemas/events/event.ts';
import { parseExact } from '#schemas/json/parse-exact.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { compareInstants, type Episode } from './episode.ts';
import type { EvidenceEvent } from './evidence-event.ts';
import { ruleById } from './rule-registry.ts';

/** Maximum number of events per program. The latest are kept. */
const MAX_EVENTS = 16;
/**
 * Maximum length of an event in characters of JSON. Longer events are skipped, because the sender controls their
 * length.
 */
const MAX_EVENT_CHARACTERS = 8_192;

/** Returns the events with this one appended. The returned array never changes later, so episodes may share it. */
export function withEvent(
  events: readonly EvidenceEvent[] | undefined,
  { event, time }: AcceptedEvent,
): readonly EvidenceEvent[] {
  const json = stringifyExact(event);
  const kept = events ?? [];
  // At-least-once delivery can repeat an event. One copy suffices.
  if (json.length > MAX_EVENT_CHARACTERS || kept.at(-1)?.json === json) return kept;
  return [...kept.slice(1 - MAX_EVENTS), { time, json }];
}

/**
 * Returns the events within the time range of the episode that show its register, oldest first. Empty if no events were
 * stored.
 */
export function justifyingEvents({ rule, events, first, last, register }: Episode): InternalEvent[] {
  if (events === undefined || register === null) return [];
  const { showsIn = isDump } = ruleById(rule);
  return events
    .filter(({ time }) => compareInstants(time, first) >= 0 && compareInstants(time, last) <= 0)
    .map(({ json }) => parseExact(json) as InternalEvent)
    .filter(({ event }) => showsIn(event));
}

function isDump(event: EventType): boolean {
  return event.type === 'LinuxFatalSignal';
}
