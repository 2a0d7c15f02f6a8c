import { SAME_CRASH_SECONDS } from '#schemas/crash.ts';

/**
 * What reports a crash: a line of the kernel, another source such as the journal, the same while a detection of the program is open that counts it, or a
 * source with evidence of its own, which is the report of a changed canary.
 */
export const REPORTED_BY = { kernel: 0, witness: 1, countedWitness: 2, canary: 3 } as const;
export type ReportedBy = (typeof REPORTED_BY)[keyof typeof REPORTED_BY];

/**
 * Processes that crashed lately, to count a crash once that two detectors of one host report from different sources. Reports of the same program and
 * pid within `SAME_CRASH_SECONDS` are one crash. Two lines of the kernel are not compared here: `crash-places.ts` pairs a trap line with its dump.
 */
export interface RecentCrashes {
  /** Notes a report. Returns by what the crash was reported before; undefined when it is new, or when the pid is unknown (NaN). */
  note(program: number, pid: number, seconds: number, by: ReportedBy): ReportedBy | undefined;
  /** The table, for snapshots: place and content of each entry in use. */
  numbers(): number[];
  /** Fills an empty table with what `numbers` returned. */
  restore(numbers: readonly number[]): void;
}

/** A power of two: 128 KiB a partition. Of 1,000 crashes in two seconds one in seventeen is forgotten for another one. */
const ENTRIES = 16_384;
const SECONDS = 2 ** 31;
const SOURCES = 4;
const TAG_BITS = 20;

/** An empty table. */
export function createRecentCrashes(): RecentCrashes {
  /** Fingerprint, source and seconds of a process in one number, 0 for none. The latest process of a place stays. */
  const table = new Float64Array(ENTRIES);

  return {
    note(program, pid, seconds, by) {
      if (Number.isNaN(pid)) return undefined;
      const low = mix(mix(0x2545f491, program), pid);
      const high = mix(mix(0x6b43a9b5, pid), program);
      const at = low & (ENTRIES - 1);
      const tag = (high >>> (32 - TAG_BITS)) + 1;
      const second = ((seconds % SECONDS) + SECONDS) % SECONDS;
      const found = table[at] as number;
      const rest = Math.floor(found / SECONDS);
      const isSame = Math.floor(rest / SOURCES) === tag && Math.abs((found % SECONDS) - second) <= SAME_CRASH_SECONDS;
      const before = isSame ? ((rest % SOURCES) as ReportedBy) : undefined;
      const known = before === REPORTED_BY.kernel && by === REPORTED_BY.kernel ? undefined : before;
      // A line of the kernel stands for one report: the next line of this pid is another crash.
      const source = by === REPORTED_BY.kernel ? by : (before ?? by);
      table[at] = (tag * SOURCES + source) * SECONDS + second;
      return known;
    },
    numbers() {
      const used: number[] = [];
      for (let at = 0; at < ENTRIES; at += 1) if (table[at] !== 0) used.push(at, table[at] as number);
      return used;
    },
    restore(numbers) {
      for (let i = 0; i < numbers.length; i += 2) table[numbers[i] as number] = numbers[i + 1] as number;
    },
  };
}

function mix(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ (value | 0), 0x9e3779b1);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}
