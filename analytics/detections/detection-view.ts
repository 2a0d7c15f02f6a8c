import type { Detection } from '#schemas/detection.ts';
import type { EventV1, RegisterProbeJustification } from '#schemas/events/versions/v1.ts';
import { type Episode, valuesTotal } from './episode.ts';
import { episodeObject } from './episode-object.ts';
import { justifyingEvents } from './evidence-events.ts';
import type { ExceptionSubject } from './exception.ts';
import { describeEpisode } from './message.ts';
import { ruleById } from './rule-registry.ts';
import type { Justification } from './settings.ts';

/**
 * Maximum number of values in a RegisterProbe event. Above it, the number of events is more useful than a truncated
 * list.
 */
const JUSTIFYING_VALUES = 16;

/** Returns the detection object of an episode of a built-in rule in its current state, with the V1 event of a probe. */
export function viewDetection(
  episode: Episode,
  findException: (subject: ExceptionSubject) => string | null,
  justification: Justification = 'summary',
): Detection {
  const rule = ruleById(episode.rule);
  const detection = episodeObject(episode, rule, describeEpisode(episode), findException);
  const { hosts, total } = rule.hostsOf?.(episode) ?? { hosts: [], total: 0 };
  detection.hosts = [...hosts];
  detection.hostsTotal = total;
  detection.risk = rule.riskOf?.(episode) ?? null;
  if (episode.register === null) return detection;
  return { ...detection, event: registerProbe(episode, episode.register, detection, justification) };
}

/** Returns the V1 event of a probe, at the time of its latest evidence. */
function registerProbe(
  episode: Episode,
  register: string,
  { lastSeen: timestamp, message, values }: Detection,
  wanted: Justification,
): EventV1 {
  const justification = justify(episode, values, wanted);
  return {
    version: 'V1',
    timestamp,
    hostname: episode.hostname,
    event: { type: 'RegisterProbe', justification, message, procname: episode.procname ?? '', register },
  };
}

/**
 * Returns the most detailed justification available, up to `wanted`. Without stored events, `full` becomes `summary`.
 * With too many values, `summary` becomes `none`.
 */
function justify(episode: Episode, values: readonly string[], wanted: Justification): RegisterProbeJustification {
  const events = wanted === 'full' ? justifyingEvents(episode) : [];
  if (events.length > 0) return { FullEvents: events };
  const few = values.length > 0 && valuesTotal(episode) <= JUSTIFYING_VALUES;
  return wanted !== 'none' && few ? { RegisterValues: [...values] } : { EventCount: episode.evidence };
}
