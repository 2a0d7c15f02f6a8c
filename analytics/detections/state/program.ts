import type { Episode } from '../episode.ts';
import type { EvidenceEvent } from '../evidence-event.ts';
import type { AgreedProcess } from './agreed-process.ts';
import type { CrashPoints } from './crash-points.ts';
import type { ImageNames, ImageTables } from './image-tables.ts';
import type { RepeatRings } from './repeated-crashes.ts';

/**
 * Numbers that rules store, by rule, in insertion order. Snapshots contain them. Those of a program count towards
 * `limits.maxPoints`. An owner has only a few, and each of its crashes looks them up. Two short lists need fewer memory
 * reads than a map.
 */
export class RuleMemory implements Iterable<[rule: string, numbers: number[]]> {
  readonly rules: string[] = [];
  readonly lists: number[][] = [];

  get(rule: string): number[] | undefined {
    const { rules } = this;
    for (let i = 0; i < rules.length; i += 1) if (rules[i] === rule) return this.lists[i];
    return undefined;
  }

  has(rule: string): boolean {
    return this.get(rule) !== undefined;
  }

  set(rule: string, numbers: number[]): void {
    const at = this.rules.indexOf(rule);
    if (at >= 0) this.lists[at] = numbers;
    else {
      this.rules.push(rule);
      this.lists.push(numbers);
    }
  }

  delete(rule: string): void {
    const at = this.rules.indexOf(rule);
    if (at < 0) return;
    this.rules.splice(at, 1);
    this.lists.splice(at, 1);
  }

  *[Symbol.iterator](): Iterator<[rule: string, numbers: number[]]> {
    for (const [at, rule] of this.rules.entries()) yield [rule, this.lists[at] as number[]];
  }
}

/**
 * Priority of a program when memory is short, lowest first. A flood of invented hosts stays in `fresh`, and one of
 * invented programs on a known host in `known`. Only programs that crashed again or show signs of probing rank higher.
 */
export const SEGMENTS = { fresh: 0, known: 1, returning: 2, promising: 3 } as const;
export type Segment = (typeof SEGMENTS)[keyof typeof SEGMENTS];

/** Weight of an evicted program. The next crash under its name creates another program. */
export const FORGOTTEN = -1;

/** A mapping of a file in which a program crashed. */
export interface Space {
  readonly file: string;
  /** Number of the mapping among those of the program, from 1. */
  readonly number: number;
  /** True if the file is a library. */
  readonly isLibrary: boolean;
  /** Length of the mapping in bytes, 0 if unknown. */
  readonly size: number;
  /** Address at which it was last mapped, as the two parts of an `Address`. */
  baseSpace: number;
  baseOffset: number;
}

/** State of one program of one host. Arrays are created on first use, because most programs crash once. */
export interface Program {
  readonly host: Host;
  readonly name: string;
  /** Process name of its first crash. */
  readonly comm: string;
  /** Creation number, unique in the tracker. It orders the programs of the host. */
  born: number;
  segment: Segment;
  newer: Program | undefined;
  older: Program | undefined;
  /** Neighbours in the list of its host's programs; see `host-programs.ts`. */
  earlier: Program | undefined;
  later: Program | undefined;
  /** Cost towards `limits.maxPoints`; `FORGOTTEN` after eviction. */
  weight: number;
  points: CrashPoints;
  /** Length of the array at which stale places are pruned. */
  pruneAt: number;
  /** Mapping of the latest trap. After a restart, the first mapping. */
  latest: Space | undefined;
  /** All mappings. A list exists only from the second mapping on; see `program-spaces.ts`. */
  spaces: readonly Space[] | undefined;
  /** Its ring of repeated crashes, or -1; see `repeated-crashes.ts`. */
  ring: number;
  /** Place of the first key of its image at the host when it was last used. Only a hint. */
  imagePlace: number;
  /** See `displaced-lines.ts`. */
  displaced: number[] | undefined;
  registers: number[] | undefined;
  aborts: number[] | undefined;
  episodes: Episode[] | undefined;
  /** True if a rule watches it by its name; undefined until its first crash. */
  isWatched: boolean | undefined;
  /** Its latest events. Only with the justification `full`. */
  events: readonly EvidenceEvent[] | undefined;
  /**
   * Facts about the process on which its crashes agree, and the time of the latest of them (seconds). Undefined if no
   * crash reported any.
   */
  process: { readonly agreed: AgreedProcess; readonly seconds: number } | undefined;
  /** State that rules store for it; see `rule-memory.ts`. */
  memory: RuleMemory | undefined;
}

/** State of one host. */
export interface Host {
  readonly name: string | null;
  born: number;
  events: number;
  /** True after eviction. The next event with its name creates another host. */
  isForgotten: boolean;
  /** Time of its latest line. Undefined if unknown, after a snapshot without it. */
  latestSeconds: number | undefined;
  latestNanos: number;
  /**
   * Second of the latest crash report that is no kernel line; undefined before the first one. See `recent-crashes.ts`.
   */
  latestWitness: number | undefined;
  /** First and last of its programs in order of creation, and their number; see `host-programs.ts`. */
  first: Program | undefined;
  last: Program | undefined;
  programs: number;
  /** Program by process name, if the executable has another name. */
  aliases: Map<string, string> | undefined;
  /** Program by image in memory; see `program-image.ts`. */
  images: ImageNames | undefined;
  /** Open probe episodes of its programs, to which suppressed callbacks may be assigned. */
  probes: Episode[] | undefined;
  /** Episodes of the host itself: bursts and tampering. */
  episodes: Episode[] | undefined;
  /** Suppressed callbacks that no probe explains yet; see `suppressed-messages.ts`. */
  suppressed: number[] | undefined;
  /**
   * Logged crash lines in steps of ten seconds; the latest step; and its crashes that are not in the list yet. See
   * `suppressed-messages.ts`.
   */
  logged: number[] | undefined;
  loggedStep: number;
  loggedLately: number;
  /** Shared by all programs and hosts of the tracker. */
  readonly rings: RepeatRings;
  readonly imageTables: ImageTables;
  /** State that rules store for it; see `rule-memory.ts`. */
  memory: RuleMemory | undefined;
}
