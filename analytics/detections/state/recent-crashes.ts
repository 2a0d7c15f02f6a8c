import { SAME_CRASH_SECONDS } from '#schemas/crash.ts';

/**
 * Source of a crash report: a kernel line; another source such as the journal; another source while an open detection
 * of the program counts the crash; or a source with its own evidence, which is the report of a changed canary.
 */
export const REPORTED_BY = { kernel: 0, witness: 1, countedWitness: 2, canary: 3 } as const;
export type ReportedBy = (typeof REPORTED_BY)[keyof typeof REPORTED_BY];

/** The fields of a program that this file needs. */
export interface ReportedProgram {
  readonly born: number;
  readonly host: { latestWitness: number | undefined };
}

/**
 * Recently crashed processes. If two detectors of one host report a crash from different sources, it is counted once.
 * Reports of the same program and pid within `SAME_CRASH_SECONDS` are one crash. Two kernel lines are not compared
 * here: `crash-places.ts` matches a trap line with its dump.
 */
export interface RecentCrashes {
  /**
   * Records a report. Returns the source of the earlier report of the crash. Returns undefined if the crash is new, or
   * if the pid is unknown (NaN).
   */
  note(program: ReportedProgram, pid: number, seconds: number, by: ReportedBy): ReportedBy | undefined;
  /** Returns the table for snapshots: index, content and second of each used entry. */
  numbers(): number[];
  /** Fills an empty table with the result of `numbers`. */
  restore(numbers: readonly number[]): void;
}

/**
 * A power of two. The table takes 128 KiB per partition. Of 1,000 crashes in two seconds, one in seventeen is
 * overwritten by another one.
 */
const ENTRIES = 16_384;
const FIELDS = 2;
/** Bits of an entry that hold the source. The other bits hold a fingerprint. */
const SOURCE_BITS = 2;
/**
 * Maximum number of buffered kernel lines, with program, pid and second of each. Their fingerprints are computed in one
 * short loop, so the processor computes several in parallel.
 */
const MAX_WAITING = 256;
const WAITING_FIELDS = 3;

/** Creates an empty table. */
export function createRecentCrashes(): RecentCrashes {
  /**
   * Two adjacent numbers per entry: fingerprint and source of a process (0 if free), and the low 32 bits of the second
   * of the latest report. A new process overwrites the entry.
   */
  const entries = new Int32Array(ENTRIES * FIELDS);
  const waiting = new Int32Array(MAX_WAITING * WAITING_FIELDS);
  let waits = 0;
  /** Second of the latest report of another source restored from a snapshot, over all programs. */
  let latestRestored = Number.NEGATIVE_INFINITY;

  function put(program: number, pid: number, time: number, by: ReportedBy): ReportedBy | undefined {
    const at = placeOf(program, pid);
    const print = fingerprint(program, pid);
    const found = entries[at] as number;
    const isSame =
      found >>> SOURCE_BITS === print && Math.abs(((entries[at + 1] as number) - time) | 0) <= SAME_CRASH_SECONDS;
    const before = isSame ? sourceOf(found) : undefined;
    const known = before === REPORTED_BY.kernel && by === REPORTED_BY.kernel ? undefined : before;
    // A kernel line stands for one report: the next line of this pid is another crash.
    const source = by === REPORTED_BY.kernel ? by : (before ?? by);
    entries[at] = (print << SOURCE_BITS) | source;
    entries[at + 1] = time;
    return known;
  }

  /** Like `put` for buffered kernel lines. Their entries do not depend on the previous content, so nothing is read. */
  function putWaiting(): void {
    for (let i = 0; i < waits; i += WAITING_FIELDS) {
      const program = waiting[i] as number;
      const pid = waiting[i + 1] as number;
      const at = placeOf(program, pid);
      entries[at] = (fingerprint(program, pid) << SOURCE_BITS) | REPORTED_BY.kernel;
      entries[at + 1] = waiting[i + 2] as number;
    }
    waits = 0;
  }

  /**
   * Returns true if no other source can have reported this crash. If only the kernel reports crashes, the table need
   * not be read.
   */
  function isUnwitnessed({ host: { latestWitness } }: ReportedProgram, time: number): boolean {
    if (time - latestRestored <= SAME_CRASH_SECONDS) return false;
    return latestWitness === undefined || time - latestWitness > SAME_CRASH_SECONDS;
  }

  return {
    note(program, pid, time, by) {
      if (Number.isNaN(pid)) return undefined;
      if (by === REPORTED_BY.kernel && isUnwitnessed(program, time)) {
        waiting[waits] = program.born;
        waiting[waits + 1] = pid;
        waiting[waits + 2] = time;
        waits += WAITING_FIELDS;
        if (waits === waiting.length) putWaiting();
        return undefined;
      }
      if (waits > 0) putWaiting();
      if (by !== REPORTED_BY.kernel) program.host.latestWitness = Math.max(time, program.host.latestWitness ?? time);
      return put(program.born, pid, time, by);
    },
    numbers() {
      putWaiting();
      const used: number[] = [];
      for (let at = 0; at < entries.length; at += FIELDS)
        if (entries[at] !== 0) used.push(at / FIELDS, (entries[at] as number) >>> 0, entries[at + 1] as number);
      return used;
    },
    restore(numbers) {
      for (let i = 0; i < numbers.length; i += 3) {
        const at = (numbers[i] as number) * FIELDS;
        entries[at] = numbers[i + 1] as number;
        entries[at + 1] = numbers[i + 2] as number;
        if (sourceOf(entries[at] as number) !== REPORTED_BY.kernel)
          latestRestored = Math.max(latestRestored, entries[at + 1] as number);
      }
    },
  };
}

function placeOf(program: number, pid: number): number {
  return (mix(mix(0x2545f491, program), pid) & (ENTRIES - 1)) * FIELDS;
}

function fingerprint(program: number, pid: number): number {
  return mix(mix(0x6b43a9b5, pid), program) >>> SOURCE_BITS || 1;
}

function sourceOf(entry: number): ReportedBy {
  return (entry & (2 ** SOURCE_BITS - 1)) as ReportedBy;
}

function mix(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ (value | 0), 0x9e3779b1);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}
