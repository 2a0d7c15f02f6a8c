import type { Detection, RuleId } from '#schemas/detection.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import type { EventV1, RegisterProbeJustification } from '#schemas/events/v1.ts';
import { ruleById } from './catalogue.ts';
import { type Episode, valuesTotal } from './episode.ts';
import type { ExceptionSubject } from './exception.ts';
import { describeEpisode } from './message.ts';

/** `values` of a detection hold so many at most; `valuesTotal` counts all. */
const SHOWN_VALUES = 256;
/** Up to so many values the RegisterProbe event carries them; above, the number of events says more than a cut list. */
const JUSTIFYING_VALUES = 16;

/** The detection object of an episode as it stands. */
export function viewDetection(
  episode: Episode,
  findException: (subject: ExceptionSubject) => string | null,
): Detection {
  const rule = ruleById(episode.rule as RuleId);
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
    event: episode.register === null ? null : registerProbe(episode, episode.register, lastSeen, message, values),
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
  values: string[],
): EventV1 {
  const few = values.length > 0 && valuesTotal(episode) <= JUSTIFYING_VALUES;
  const justification: RegisterProbeJustification = few
    ? { RegisterValues: [...values] }
    : { EventCount: episode.evidence };
  return {
    version: 'V1',
    timestamp,
    hostname: episode.hostname,
    event: { type: 'RegisterProbe', justification, message, procname: episode.procname ?? '', register },
  };
}

function* take(values: Iterable<string>, count: number): Generator<string> {
  let taken = 0;
  for (const value of values) {
    if (taken === count) return;
    taken += 1;
    yield value;
  }
}
