import type { Detection } from '#schemas/detection.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import type { EventV1, RegisterProbeJustification } from '#schemas/events/versions/v1.ts';
import { type Episode, valuesTotal } from './episode.ts';
import { justifyingEvents } from './evidence-events.ts';
import type { ExceptionSubject } from './exception.ts';
import { describeEpisode } from './message.ts';
import { ruleById } from './rule-registry.ts';
import type { Justification } from './settings.ts';

/** `values` of a detection hold so many at most; `valuesTotal` counts all. */
const SHOWN_VALUES = 256;
/** Up to so many values the RegisterProbe event carries them; above, the number of events says more than a cut list. */
const JUSTIFYING_VALUES = 16;

/** The detection object of an episode as it stands. */
export function viewDetection(
  episode: Episode,
  findException: (subject: ExceptionSubject) => string | null,
  justification: Justification = 'summary',
): Detection {
  const rule = ruleById(episode.rule);
  const lastSeen = formatInstant(episode.last);
  const message = describeEpisode(episode);
  const values = [...take(episode.values, SHOWN_VALUES)];
  return {
    id: episode.id,
    revision: episode.revision,
    rule: { id: rule.id, version: rule.version, name: rule.name },
    severity: episode.severity,
    hostname: episode.hostname,
    procname: episode.procname === '' ? null : episode.procname,
    file: episode.file,
    register: episode.register,
    firstSeen: formatInstant(episode.first),
    lastSeen,
    crashes: episode.crashes,
    suppressedAtLeast: episode.suppressed,
    message,
    values,
    valuesTotal: valuesTotal(episode),
    attack: rule.attack.map((technique) => ({ ...technique })),
    evidenceCount: episode.evidence,
    status: 'new',
    verdict: null,
    assignee: null,
    note: null,
    exception: findException(exceptionSubject(episode)),
    event:
      episode.register === null
        ? null
        : registerProbe(episode, episode.register, lastSeen, message, justify(episode, values, justification)),
  };
}

/** What exceptions are compared with, as the episode stands. */
export function exceptionSubject({ rule, hostname, procname, program, file, last }: Episode): ExceptionSubject {
  const programs = [procname, program].filter((name) => name !== null);
  return { rule, hostname, programs, file, lastSeen: formatInstant(last) };
}

/** The V1 event of a probe, at the time of its latest evidence. */
function registerProbe(
  episode: Episode,
  register: string,
  timestamp: string,
  message: string,
  justification: RegisterProbeJustification,
): EventV1 {
  return {
    version: 'V1',
    timestamp,
    hostname: episode.hostname,
    event: { type: 'RegisterProbe', justification, message, procname: episode.procname ?? '', register },
  };
}

/** As much as is wanted and there is: without events kept `full` is as `summary`, and that with too many values as `none`. */
function justify(episode: Episode, values: readonly string[], wanted: Justification): RegisterProbeJustification {
  const events = wanted === 'full' ? justifyingEvents(episode) : [];
  if (events.length > 0) return { FullEvents: events };
  const few = values.length > 0 && valuesTotal(episode) <= JUSTIFYING_VALUES;
  return wanted !== 'none' && few ? { RegisterValues: [...values] } : { EventCount: episode.evidence };
}

function* take(values: Iterable<string>, count: number): Generator<string> {
  let taken = 0;
  for (const value of values) {
    if (taken === count) return;
    taken += 1;
    yield value;
  }
}
