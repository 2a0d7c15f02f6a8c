import type { Instant } from '#schemas/events/accepted.ts';
import type { Host } from './program.ts';

/**
 * Fingerprints of the latest lines of a partition, which identify repeated deliveries. A table of fixed size with sets
 * of four entries; the oldest entry of a set is overwritten first. A line that is repeated after 4,000 other lines is
 * recognised with a probability of 99.98 %, after 16,000 with 98 %.
 */
export interface SeenLines {
  /**
   * Returns true if this line was seen before; otherwise stores it. Returns false without a pid, because two processes
   * may crash at one place at one time.
   */
  isRepeat(line: CrashLine): boolean;
  /**
   * Stores a line that is known to be no repeat. The line is buffered, because access to the table costs more than
   * everything else.
   */
  addNew(line: CrashLine): void;
  /** Returns the used fingerprints, for snapshots. */
  numbers(): number[];
  /** Fills an empty table with the result of `numbers`. */
  restore(numbers: readonly number[]): void;
}

/** Fields that identify a line: the process, the time and the place. */
export interface CrashLine {
  /** Number of the host. */
  readonly host: number;
  readonly seconds: number;
  readonly nanos: number;
  /** Crash lines: NaN if unknown. Other lines: any number derived from their content. */
  readonly pid: number;
  /**
   * Crash lines: the low 53 bits of the instruction pointer, 0 if unknown. Other lines: any number derived from their
   * content.
   */
  readonly pointer: number;
  /** Separates the kinds of lines. */
  readonly kind: number;
}

/** Powers of two. */
const SETS = 16_384;
const WAYS = 4;
/**
 * Maximum number of buffered lines, with six numbers each. Their fingerprints are computed in one short loop, so the
 * processor computes several in parallel.
 */
const MAX_WAITING = 256;
const LINE_FIELDS = 6;

/** Creates an empty table. */
export function createSeenLines(): SeenLines {
  const table = new Float64Array(SETS * WAYS);
  /**
   * Index within each set of the entry written last. The next index holds the oldest entry, which is overwritten. No
   * entry is moved.
   */
  const newest = new Uint8Array(SETS);
  const waiting = new Float64Array(MAX_WAITING * LINE_FIELDS);
  let waits = 0;

  function put(print: number): void {
    const set = setOf(print);
    const way = ((newest[set] as number) + 1) & (WAYS - 1);
    newest[set] = way;
    table[set * WAYS + way] = print;
  }

  function putWaiting(): void {
    for (let at = 0; at < waits; at += LINE_FIELDS)
      put(
        fingerprint(
          waiting[at] as number,
          waiting[at + 1] as number,
          waiting[at + 2] as number,
          waiting[at + 3] as number,
          waiting[at + 4] as number,
          waiting[at + 5] as number,
        ),
      );
    waits = 0;
  }

  return {
    isRepeat(line) {
      if (Number.isNaN(line.pid)) return false;
      if (waits > 0) putWaiting();
      const { host, seconds, nanos, pid, pointer, kind } = line;
      const print = fingerprint(host, seconds, nanos, pid, pointer, kind);
      const first = setOf(print) * WAYS;
      for (let i = first; i < first + WAYS; i += 1) if (table[i] === print) return true;
      put(print);
      return false;
    },
    addNew(line) {
      waiting[waits] = line.host;
      waiting[waits + 1] = line.seconds;
      waiting[waits + 2] = line.nanos;
      waiting[waits + 3] = line.pid;
      waiting[waits + 4] = line.pointer;
      waiting[waits + 5] = line.kind;
      waits += LINE_FIELDS;
      if (waits === waiting.length) putWaiting();
    },
    numbers() {
      putWaiting();
      const used: number[] = [];
      for (let set = 0; set < SETS; set += 1)
        for (let age = 0; age < WAYS; age += 1) {
          const print = table[set * WAYS + (((newest[set] as number) - age) & (WAYS - 1))] as number;
          if (print !== 0) used.push(print);
        }
      return used;
    },
    restore(numbers) {
      // The oldest entry of a set comes last and must be inserted first.
      for (const print of numbers.toReversed()) put(print);
    },
  };
}

/**
 * Returns the remainder of a division by `SETS`, computed from the low bits. `%` of large doubles is many times slower.
 */
function setOf(print: number): number {
  return print & (SETS - 1);
}

/**
 * Returns a fingerprint of 52 bits, never 0. The probability that it equals that of one of 65,536 other lines is
 * 10^-10.
 */
function fingerprint(host: number, seconds: number, nanos: number, pid: number, pointer: number, kind: number): number {
  const high = Math.floor(pointer / 2 ** 32);
  let a = mix(0x2545f491 ^ kind, seconds);
  let b = mix(0x6b43a9b5, pointer);
  a = mix(a, nanos ^ b);
  b = mix(b, pid ^ a);
  a = mix(a, host ^ b);
  b = mix(b, high ^ a);
  return (a >>> 0) * 2 ** 20 + (b >>> 12) + 1;
}

function mix(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ (value | 0), 0x9e3779b1);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * Returns true if a line was delivered before. At-least-once delivery repeats lines: the same time, process and place
 * is the same crash.
 */
export type RepeatCheck = (host: Host, time: Instant, pid: number, pointer: number, kind: number) => boolean;

/**
 * Creates a check against the stored lines. It reuses one object, because every event needs it. A line that is later
 * than all lines of its host is no repeat, and nearly every line is later.
 */
export function createRepeatCheck(seen: SeenLines): RepeatCheck {
  const line: Writable<CrashLine> = { host: 0, seconds: 0, nanos: 0, pid: Number.NaN, pointer: 0, kind: 0 };
  return (host, { seconds, nanos }, pid, pointer, kind) => {
    const isLater = isLatest(host, seconds, nanos);
    if (Number.isNaN(pid)) return false;
    line.host = host.born;
    line.seconds = seconds;
    line.nanos = nanos;
    line.pid = pid;
    line.pointer = pointer;
    line.kind = kind;
    if (!isLater) return seen.isRepeat(line);
    seen.addNew(line);
    return false;
  };
}

/**
 * Returns true if the time is later than those of all earlier lines of the host. Stores it as the latest time in this
 * case.
 */
function isLatest(host: Host, seconds: number, nanos: number): boolean {
  const { latestSeconds } = host;
  if (latestSeconds === undefined || seconds < latestSeconds) return false;
  if (seconds === latestSeconds && nanos <= host.latestNanos) return false;
  host.latestSeconds = seconds;
  host.latestNanos = nanos;
  return true;
}
