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
  /** The table, for snapshots: place, content and second of each entry in use. */
  numbers(): number[];
  /** Fills an empty table with what `numbers` returned. */
  restore(numbers: readonly number[]): void;
}

/** A power of two: 128 KiB a partition. Of 1,000 crashes in two seconds one in seventeen is forgotten for another one. */
const ENTRIES = 16_384;
const FIELDS = 2;
/** Bits of an entry that hold the source; the others hold a fingerprint. */
const SOURCE_BITS = 2;

/** An empty table. */
export function createRecentCrashes(): RecentCrashes {
  /**
   * Two numbers an entry, side by side: fingerprint and source of a process, 0 for none, and the second of the latest report, its low 32 bits. The
   * latest process of a place stays.
   */
  const entries = new Int32Array(ENTRIES * FIELDS);

  return {
    note(program, pid, time, by) {
      if (Number.isNaN(pid)) return undefined;
      const at = (mix(mix(0x2545f491, program), pid) & (ENTRIES - 1)) * FIELDS;
      const print = mix(mix(0x6b43a9b5, pid), program) >>> SOURCE_BITS || 1;
      const found = entries[at] as number;
      const isSame =
        found >>> SOURCE_BITS === print && Math.abs(((entries[at + 1] as number) - time) | 0) <= SAME_CRASH_SECONDS;
      const before = isSame ? ((found & (2 ** SOURCE_BITS - 1)) as ReportedBy) : undefined;
      const known = before === REPORTED_BY.kernel && by === REPORTED_BY.kernel ? undefined : before;
      // A line of the kernel stands for one report: the next line of this pid is another crash.
      const source = by === REPORTED_BY.kernel ? by : (before ?? by);
      entries[at] = (print << SOURCE_BITS) | source;
      entries[at + 1] = time;
      return known;
    },
    numbers() {
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
      }
    },
  };
}

function mix(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ (value | 0), 0x9e3779b1);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}
