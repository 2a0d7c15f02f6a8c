import { hash } from 'node:crypto';
import type { Severity } from '#schemas/detection.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import type { EvidenceEvent } from './evidence-event.ts';
import type { AgreedProcess } from './state/agreed-process.ts';

/**
 * The state of a detection. A rule opens it, and it grows with each further event until no evidence arrived for the
 * rule's quiet time. Nothing is written when it ends: the last revision is the final one.
 */
export interface Episode {
  readonly rule: string;
  readonly id: string;
  readonly hostname: string | null;
  /** Key of the program. Null for episodes of a host. */
  readonly program: string | null;
  readonly procname: string | null;
  readonly file: string | null;
  readonly register: string | null;
  /**
   * Values that the rule's message needs in addition to the counts, for example the key of a setting with the expected
   * and the observed value.
   */
  detail: readonly string[];
  severity: Severity;
  first: Instant;
  last: Instant;
  revision: number;
  crashes: number;
  suppressed: number;
  evidence: number;
  /** Evidence count at which the next revision is announced. */
  announceAt: number;
  /** Regions of the evidence as flat numbers, in the format of `region.ts`. */
  regions: number[];
  /** Distinct evidence values as text, oldest first; at most `maxValues`. */
  readonly values: Set<string>;
  /** Number of new values that arrived when `values` was full. A value may be counted twice. */
  valuesBeyond: number;
  /** Facts about the process on which all crashes agree. Undefined if no crash reported any. */
  process?: AgreedProcess | undefined;
  /** Events of the program at the latest revision. Only with the justification `full`. */
  events?: readonly EvidenceEvent[];
  /**
   * Sequence number of the event that changed the episode last. The highest number marks the most recently active
   * episode.
   */
  touched: number;
}

/** Identifies an episode by content only, so every replay gives the same id. */
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

/**
 * Returns `det_` and the first 32 hexadecimal digits of the SHA-256 of the origin. The origin is hashed as a JSON
 * array, which separates its fields unambiguously.
 */
export function detectionId(origin: EpisodeOrigin): string {
  const { rule, hostname, program, register, place, first, value } = origin;
  const text = JSON.stringify([rule, hostname, program, register, place, formatInstant(first), value]);
  return `det_${hash('sha256', text, 'hex').slice(0, 32)}`;
}

/** Creates an episode of this origin with revision 0. */
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

/** Extends the time range of the episode in either direction, because events may arrive out of order. */
export function extend(episode: Episode, time: Instant): void {
  if (compareInstants(time, episode.first) < 0) episode.first = time;
  if (compareInstants(time, episode.last) > 0) episode.last = time;
}

/** Returns true if `t` (seconds) lies in the time range of the episode, extended by `margin` seconds at both ends. */
export function covers(episode: Episode, t: number, margin: number): boolean {
  return t >= episode.first.seconds - margin && t <= episode.last.seconds + 1 + margin;
}

/**
 * Returns the first episode of this rule that covers `t`. Uses a loop because every crash calls it, and `find` would
 * allocate a closure each time.
 */
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

/** Adds an evidence value. Beyond `maxValues` distinct values, it only counts them. */
export function addValue(episode: Episode, value: string, maxValues: number): void {
  const { values } = episode;
  if (values.size < maxValues) values.add(value);
  else if (!values.has(value)) episode.valuesBeyond += 1;
}

/** Number of distinct evidence values, including those beyond `maxValues`. */
export function valuesTotal(episode: Episode): number {
  return episode.values.size + episode.valuesBeyond;
}

/** Returns a negative number if `a` is earlier, 0 if both are equal, else a positive number. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}

/** Returns the smallest power of two above `count`. */
export function nextPowerOfTwo(count: number): number {
  let power = 1;
  while (power <= count) power *= 2;
  return power;
}
