import type { Attack, Detection } from '#schemas/detection.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import { type Episode, valuesTotal } from './episode.ts';
import type { ExceptionSubject } from './exception.ts';
import { agreedValues } from './state/agreed-process.ts';

/** Maximum number of `values` in a detection. `valuesTotal` counts all of them. */
const SHOWN_VALUES = 256;

/** The fields of a built-in or user rule that its detections contain. */
export interface DetectingRule {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly attack: readonly Attack[];
}

/**
 * Returns the detection object of an episode of a built-in or user rule in its current state. Triage decisions and the
 * V1 event are not included.
 */
export function episodeObject(
  episode: Episode,
  { id, version, name, attack }: DetectingRule,
  message: string,
  findException: (subject: ExceptionSubject) => string | null,
): Detection {
  return {
    id: episode.id,
    revision: episode.revision,
    rule: { id, version, name },
    severity: episode.severity,
    hostname: episode.hostname,
    hosts: [],
    hostsTotal: 0,
    procname: episode.procname === '' ? null : episode.procname,
    file: episode.file,
    register: episode.register,
    ...agreedValues(episode.process),
    firstSeen: formatInstant(episode.first),
    lastSeen: formatInstant(episode.last),
    crashes: episode.crashes,
    suppressedAtLeast: episode.suppressed,
    message,
    values: [...take(episode.values, SHOWN_VALUES)],
    valuesTotal: valuesTotal(episode),
    attack: attack.map((technique) => ({ ...technique })),
    evidenceCount: episode.evidence,
    risk: null,
    status: 'new',
    verdict: null,
    assignee: null,
    note: null,
    exception: findException(exceptionSubject(episode)),
    event: null,
  };
}

/** Returns the current values of the fields that exceptions match. */
export function exceptionSubject({ rule, hostname, procname, program, file, last }: Episode): ExceptionSubject {
  const programs = [procname, program].filter((name) => name !== null);
  return { rule, hostname, programs, file, lastSeen: formatInstant(last) };
}

function* take(values: Iterable<string>, count: number): Generator<string> {
  let taken = 0;
  for (const value of values) {
    if (taken === count) return;
    taken += 1;
    yield value;
  }
}
