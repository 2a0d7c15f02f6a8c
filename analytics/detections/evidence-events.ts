import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { EventType, InternalEvent } from '#schemas/events/event.ts';
import { parseExact } from '#schemas/json/parse-exact.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { compareInstants, type Episode } from './episode.ts';
import type { EvidenceEvent } from './evidence-event.ts';
import { ruleById } from './rule-registry.ts';

/** Of a program, the latest ones. */
const MAX_EVENTS = 16;
/** A longer event is left out: its sender decides its length. In characters of JSON. */
const MAX_EVENT_CHARACTERS = 8_192;

/** Returns the events with this one added. What is returned is never changed later, so episodes may share it. */
export function withEvent(
  events: readonly EvidenceEvent[] | undefined,
  { event, time }: AcceptedEvent,
): readonly EvidenceEvent[] {
  const json = stringifyExact(event);
  const kept = events ?? [];
  // At-least-once delivery repeats an event; once is evidence enough.
  if (json.length > MAX_EVENT_CHARACTERS || kept.at(-1)?.json === json) return kept;
  return [...kept.slice(1 - MAX_EVENTS), { time, json }];
}

/** The events of the episode's time that show its register, oldest first. Empty when none were kept. */
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
