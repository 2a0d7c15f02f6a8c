import type { Episode } from '../episode.ts';
import type { EvidenceEvent } from '../evidence-event.ts';
import type { AgreedProcess } from './agreed-process.ts';
import type { CrashPoints } from './crash-points.ts';
import type { ImageNames, ImageTables } from './image-tables.ts';
import type { RepeatRings } from './repeated-crashes.ts';

/**
 * Flat numbers by rule, in the order in which they came. Snapshots keep them; those of a program count towards `limits.maxPoints`. An owner has a few at
 * most, which each of its crashes asks for: two short lists are found with fewer reads of memory than a map.
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
 * How much a program is worth remembering when memory is short, least first. A flood of invented hosts stays in `fresh`, one of
 * invented programs on a known host in `known`; only what crashed again, or shows signs of probing, stands above them.
 */
export const SEGMENTS = { fresh: 0, known: 1, returning: 2, promising: 3 } as const;
export type Segment = (typeof SEGMENTS)[keyof typeof SEGMENTS];

/** Weight of a program that was evicted: the next crash of its name makes another one. */
export const FORGOTTEN = -1;

/** A mapping of a file in which a program crashed. */
export interface Space {
  readonly file: string;
  /** Its place among the mappings of the program, from 1. */
  readonly number: number;
  /** Whether the file is a library. */
  readonly isLibrary: boolean;
  /** Length of the mapping, 0 when unknown. */
  readonly size: number;
  /** Where it was mapped when it was last seen, the two parts of an `Address`. */
  baseSpace: number;
  baseOffset: number;
}

/** What is remembered of one program of one host. Arrays appear when they are first needed: most programs crash once. */
export interface Program {
  readonly host: Host;
  readonly name: string;
  /** The process name under which it was first seen. */
  readonly comm: string;
  /** Number of the event that made it: its place among the programs of its host. */
  born: number;
  segment: Segment;
  newer: Program | undefined;
  older: Program | undefined;
  /** Its neighbours among the programs of its host: see `host-programs.ts`. */
  earlier: Program | undefined;
  later: Program | undefined;
  /** What it costs of `limits.maxPoints`; `FORGOTTEN` once it was evicted. */
  weight: number;
  points: CrashPoints;
  /** At this length stale places are looked for. */
  pruneAt: number;
  /** The mapping of the latest trap, after a restart the first one. */
  latest: Space | undefined;
  /** All mappings; a list only from the second one on. See `program-spaces.ts`. */
  spaces: readonly Space[] | undefined;
  /** Its ring of repeated crashes, -1 without one: see `repeated-crashes.ts`. */
  ring: number;
  /** Where the first key of its image was last, among those of its host. Only a hint. */
  imagePlace: number;
  /** See `displaced-lines.ts`. */
  displaced: number[] | undefined;
  registers: number[] | undefined;
  aborts: number[] | undefined;
  episodes: Episode[] | undefined;
  /** Whether a rule watches it by its name; undefined until its first crash. */
  isWatched: boolean | undefined;
  /** Its latest events; only with the justification `full`. */
  events: readonly EvidenceEvent[] | undefined;
  /** What its crashes say of their processes, and when the latest of them was (seconds); undefined when none says anything. */
  process: { readonly agreed: AgreedProcess; readonly seconds: number } | undefined;
  /** What rules remember of it beyond the above: see `rule-memory.ts`. */
  memory: RuleMemory | undefined;
}

/** What is remembered of one host. */
export interface Host {
  readonly name: string | null;
  born: number;
  events: number;
  /** It was evicted: the next event of its name makes another one. */
  isForgotten: boolean;
  /** Time of its latest line; undefined when it is not known, after a snapshot without it. */
  latestSeconds: number | undefined;
  latestNanos: number;
  /** Second of the latest report of a crash that is no line of the kernel; undefined before the first one. See `recent-crashes.ts`. */
  latestWitness: number | undefined;
  /** The ends of its programs, in the order in which they came, and how many they are: see `host-programs.ts`. */
  first: Program | undefined;
  last: Program | undefined;
  programs: number;
  /** Program by process name, where the executable is called otherwise. */
  aliases: Map<string, string> | undefined;
  /** Program by image in memory: see `program-image.ts`. */
  images: ImageNames | undefined;
  /** Open probe episodes of its programs, which suppressed callbacks may accompany. */
  probes: Episode[] | undefined;
  /** Episodes of the host itself: bursts and tampering. */
  episodes: Episode[] | undefined;
  /** Suppressed callbacks that no probe explains (yet): see `suppressed-messages.ts`. */
  suppressed: number[] | undefined;
  /** Logged crash lines in steps of ten seconds; the latest step, and its crashes that are not in the list yet: see `suppressed-messages.ts`. */
  logged: number[] | undefined;
  loggedStep: number;
  loggedLately: number;
  /** Of all programs and hosts of the tracker. */
  readonly rings: RepeatRings;
  readonly imageTables: ImageTables;
  /** What rules remember of it beyond the above: see `rule-memory.ts`. */
  memory: RuleMemory | undefined;
}
