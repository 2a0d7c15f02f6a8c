import type { Instant } from '#schemas/events/accepted.ts';
import { compareInstants } from '../episode.ts';
import type { Address } from './address.ts';

/*
 * The latest crashes of a program at places where it had crashed before. A place stores only its first and its last
 * crash. An episode that begins between them counts the crashes since its beginning from here.
 */
const FIELDS = 4;
/** Ring size per program: most episodes open with their third to eighth crash. A power of two. */
const MAX_REPEATS = 8;
const RING = MAX_REPEATS * FIELDS;
const SMALLEST = 64 * RING;
/**
 * Upper bound of the stored number of crashes. It only needs to show whether the ring is full and where the next crash
 * goes. A power of two.
 */
const COUNTS = 2 * MAX_REPEATS;
const COUNT_BITS = Math.log2(COUNTS);
const NO_RING = -1;

/** Name under which snapshots contain them, next to the memory of rules. */
export const REPEATS = 'repeated-crashes';

/**
 * The rings of all programs of a tracker in one array. A crash in a crash loop writes one ring and reads nothing
 * outside its program. Each crash has space, offset, seconds and nanoseconds.
 */
export interface RepeatRings {
  numbers: Float64Array;
  /** Rings released for reuse. */
  readonly free: number[];
  /** Number of rings used so far, including released ones. */
  used: number;
}

/** The fields of a program that this file needs. */
interface RepeatingProgram {
  /**
   * The ring's number times `COUNTS`, plus the number of crashes in it. Both share one field because many programs have
   * no ring. `NO_RING` without one.
   */
  ring: number;
  readonly host: { readonly rings: RepeatRings };
}

/** Creates an empty set of rings. */
export function createRepeatRings(): RepeatRings {
  return { numbers: new Float64Array(SMALLEST), free: [], used: 0 };
}

function takeRing(rings: RepeatRings): number {
  const free = rings.free.pop();
  if (free !== undefined) return free;
  if ((rings.used + 1) * RING > rings.numbers.length) {
    const { numbers } = rings;
    rings.numbers = new Float64Array(numbers.length * 2);
    rings.numbers.set(numbers);
  }
  rings.used += 1;
  return rings.used - 1;
}

/** Releases the ring of an evicted program for reuse. */
export function releaseRing(program: RepeatingProgram): void {
  if (program.ring < 0) return;
  program.host.rings.free.push(Math.floor(program.ring / COUNTS));
  program.ring = NO_RING;
}

/** Stores a crash at a known place. Overwrites the oldest if the ring is full. */
export function keepRepeat(program: RepeatingProgram, { space, offset }: Address, { seconds, nanos }: Instant): void {
  const { rings } = program.host;
  if (program.ring < 0) program.ring = takeRing(rings) * COUNTS;
  const { numbers } = rings;
  const at = placeOfNextRepeat(program);
  numbers[at] = space;
  numbers[at + 1] = offset;
  numbers[at + 2] = seconds;
  numbers[at + 3] = nanos;
  program.ring += (program.ring + 1) % COUNTS === 0 ? 1 - MAX_REPEATS : 1;
}

/** Returns the index at which the next crash of a program with a ring is written. */
export function placeOfNextRepeat({ ring }: Pick<RepeatingProgram, 'ring'>): number {
  return (ring >>> COUNT_BITS) * RING + (ring & (MAX_REPEATS - 1)) * FIELDS;
}

/** Counts the stored crashes at a place from `first` on. */
export function repeatsSince(program: RepeatingProgram, space: number, offset: number, first: Instant): number {
  const flat = flatRepeats(program);
  let found = 0;
  for (let at = 0; at < flat.length; at += FIELDS) {
    if (flat[at] !== space || flat[at + 1] !== offset) continue;
    const time = { seconds: flat[at + 2] as number, nanos: flat[at + 3] as number };
    if (compareInstants(time, first) >= 0) found += 1;
  }
  return found;
}

/**
 * Moves crashes at absolute addresses into a mapping that has become known. `number` is its space, `base` its address.
 */
export function adoptRepeats(program: RepeatingProgram, number: number, base: Address, size: number): void {
  const flat = flatRepeats(program);
  for (let at = 0; at < flat.length; at += FIELDS) {
    const offset = (flat[at + 1] as number) - base.offset;
    if (flat[at] !== base.space || offset < 0 || offset >= size) continue;
    flat[at] = number;
    flat[at + 1] = offset;
  }
  setRepeats(program, flat);
}

/** Removes the crashes of a space whose number another mapping gets. */
export function forgetRepeats(program: RepeatingProgram, space: number): void {
  const kept: number[] = [];
  const flat = flatRepeats(program);
  for (let at = 0; at < flat.length; at += FIELDS) if (flat[at] !== space) kept.push(...flat.slice(at, at + FIELDS));
  setRepeats(program, kept);
}

/** Returns the crashes for a snapshot, oldest first, four numbers each. */
export function flatRepeats({ ring, host }: RepeatingProgram): number[] {
  if (ring < 0) return [];
  const { numbers } = host.rings;
  const first = Math.floor(ring / COUNTS) * RING;
  const repeated = ring % COUNTS;
  const flat: number[] = [];
  for (let i = Math.max(0, repeated - MAX_REPEATS); i < repeated; i += 1) {
    const at = first + (i % MAX_REPEATS) * FIELDS;
    for (let field = 0; field < FIELDS; field += 1) flat.push(numbers[at + field] as number);
  }
  return flat;
}

/** Restores the crashes that `flatRepeats` returned. */
export function setRepeats(program: RepeatingProgram, flat: readonly number[]): void {
  if (program.ring >= 0) program.ring -= program.ring % COUNTS;
  for (let at = 0; at < flat.length; at += FIELDS) {
    const [space, offset, seconds, nanos] = flat.slice(at, at + FIELDS) as [number, number, number, number];
    keepRepeat(program, { space, offset }, { seconds, nanos });
  }
  if (flat.length === 0) releaseRing(program);
}

/** Cost of the crashes towards `limits.maxPoints`, in numbers. */
export function weighRepeats({ ring }: RepeatingProgram): number {
  return ring < 0 ? 0 : Math.min(ring % COUNTS, MAX_REPEATS) * FIELDS;
}
