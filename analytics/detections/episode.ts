import { hash } from 'node:crypto';
import type { Severity } from '#schemas/detection.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import type { EvidenceEvent } from './evidence-event.ts';
import type { AgreedProcess } from './state/agreed-process.ts';

/**
 * A detection while it grows: opened by a rule, it takes in evidence until none came for the rule's quiet time. Its end writes
 * nothing: the last revision stands.
 */
export interface Episode {
  readonly rule: string;
  readonly id: string;
  readonly hostname: string | null;
  /** The program's key; null for episodes of a host. */
  readonly program: string | null;
  readonly procname: string | null;
  readonly file: string | null;
  readonly register: string | null;
  /** What the rule's message needs in addition to the counts, e.g. the key of a setting and its two values. */
  detail: readonly string[];
  severity: Severity;
  first: Instant;
  last: Instant;
  revision: number;
  crashes: number;
  suppressed: number;
  evidence: number;
  /** At this evidence count the next revision is announced. */
  announceAt: number;
  /** Where evidence lies, four numbers a region: space, lowest offset, highest offset, number of bases in `bases`. */
  regions: number[];
  /** Distinct evidence values as text, oldest first; at most `maxValues`. */
  readonly values: Set<string>;
  /** Distinct values that came when `values` was full; may count one twice. */
  valuesBeyond: number;
  /** What its crashes say of their processes; undefined when none says anything. */
  process?: AgreedProcess | undefined;
  /** The program's events when it was revised last; only with the justification `full`. */
  events?: readonly EvidenceEvent[];
  /** Number of the event that changed it last: which of several is the most recently active. */
  touched: number;
}

/** What identifies an episode: content only, so that a replay by whatever way gives the same id. */
export interface EpisodeOrigin {
  readonly rule: string;
  readonly hostname: string | null;
  readonly program: string | null;
  readonly register: string | null;
  /** The space of the first evidence: a file, `absolute`, or the key of a setting. */
  readonly place: string;
  readonly first: Instant;
  readonly value: string;
}

/** `det_` and the first 32 hexadecimal digits of a SHA-256 over the origin. A JSON array keeps the parts apart whatever they contain. */
export function detectionId(origin: EpisodeOrigin): string {
  const { rule, hostname, program, register, place, first, value } = origin;
  const text = JSON.stringify([rule, hostname, program, register, place, formatInstant(first), value]);
  return `det_${hash('sha256', text, 'hex').slice(0, 32)}`;
}

/** A new episode of this origin, without a revision yet. */
export function openEpisode(
  origin: EpisodeOrigin,
  names: { procname: string | null; file: string | null },
  evidence: number,
): Episode {
  return {
    rule: origin.rule,
    id: detectionId(origin),
    hostname: origin.hostname,
    program: origin.program,
    procname: names.procname,
    file: names.file,
    register: origin.register,
    detail: [],
    severity: 'high',
    first: origin.first,
    last: origin.first,
    revision: 0,
    crashes: 0,
    suppressed: 0,
    evidence,
    announceAt: 0,
    regions: [],
    values: new Set(),
    valuesBeyond: 0,
    touched: 0,
  };
}

/** The episode's time grows in both directions: events may come out of order. */
export function extend(episode: Episode, time: Instant): void {
  if (compareInstants(time, episode.first) < 0) episode.first = time;
  if (compareInstants(time, episode.last) > 0) episode.last = time;
}

/** Whether an event at `t` (seconds) belongs to the time of the episode, give or take `margin` seconds. */
export function covers(episode: Episode, t: number, margin: number): boolean {
  return t >= episode.first.seconds - margin && t <= episode.last.seconds + 1 + margin;
}

/** The first of the episodes that is of this rule and covers `t`. A loop: every crash asks, and `find` makes a closure each time. */
export function findOpen(
  episodes: readonly Episode[] | undefined,
  rule: string,
  t: number,
  margin: number,
): Episode | undefined {
  if (episodes === undefined) return undefined;
  for (let i = 0; i < episodes.length; i += 1) {
    const episode = episodes[i] as Episode;
    if (episode.rule === rule && covers(episode, t, margin)) return episode;
  }
  return undefined;
}

/** Notes an evidence value; beyond `maxValues` distinct ones they are only counted. */
export function addValue(episode: Episode, value: string, maxValues: number): void {
  const { values } = episode;
  if (values.size < maxValues) values.add(value);
  else if (!values.has(value)) episode.valuesBeyond += 1;
}

/** Distinct evidence values, shown or not. */
export function valuesTotal(episode: Episode): number {
  return episode.values.size + episode.valuesBeyond;
}

/** Negative when `a` is earlier, 0 when both are the same, else positive. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}

/** The smallest power of two above `count`. */
export function nextPowerOfTwo(count: number): number {
  let power = 1;
  while (power <= count) power *= 2;
  return power;
}
