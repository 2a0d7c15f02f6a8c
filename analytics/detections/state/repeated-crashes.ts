import type { Instant } from '#schemas/events/accepted.ts';
import { compareInstants } from '../episode.ts';
import type { Address } from './address.ts';
import type { Program } from './program.ts';

/*
 * The latest crashes of a program at places where it had crashed before: `Program.repeats`. A place keeps only its first and its last crash; an
 * episode that begins between them counts those since its beginning by these.
 *
 * A ring in one flat array, as every crash of a loop comes here: first where the next crash is written, then the crashes, of each
 * space, offset, seconds and nanoseconds.
 */
const FIELDS = 4;
const FIRST = 1;
/** Most episodes open with their third to eighth crash. */
const MAX_REPEATS = 8;
const FULL = FIRST + MAX_REPEATS * FIELDS;

/** The name under which snapshots keep them, among what rules remember. */
export const REPEATS = 'repeated-crashes';

/** Keeps a crash at a known place. The oldest gives way. */
export function keepRepeat(program: Program, { space, offset }: Address, { seconds, nanos }: Instant): void {
  const { repeats } = program;
  if (repeats === undefined) {
    program.repeats = [FIRST, space, offset, seconds, nanos];
    return;
  }
  if (repeats.length < FULL) {
    repeats.push(space, offset, seconds, nanos);
    return;
  }
  const at = repeats[0] as number;
  repeats[at] = space;
  repeats[at + 1] = offset;
  repeats[at + 2] = seconds;
  repeats[at + 3] = nanos;
  repeats[0] = at + FIELDS < FULL ? at + FIELDS : FIRST;
}

/** Kept crashes at a place from `first` on. */
export function repeatsSince({ repeats = [] }: Program, space: number, offset: number, first: Instant): number {
  let found = 0;
  for (let at = FIRST; at < repeats.length; at += FIELDS) {
    if (repeats[at] !== space || repeats[at + 1] !== offset) continue;
    const time = { seconds: repeats[at + 2] as number, nanos: repeats[at + 3] as number };
    if (compareInstants(time, first) >= 0) found += 1;
  }
  return found;
}

/** The crashes at these absolute addresses now lie in a mapping that became known: `number` is its space, `base` its address. */
export function adoptRepeats({ repeats = [] }: Program, number: number, base: Address, size: number): void {
  for (let at = FIRST; at < repeats.length; at += FIELDS) {
    const offset = (repeats[at + 1] as number) - base.offset;
    if (repeats[at] !== base.space || offset < 0 || offset >= size) continue;
    repeats[at] = number;
    repeats[at + 1] = offset;
  }
}

/** Forgets the crashes of a space whose number another mapping gets. */
export function forgetRepeats(program: Program, space: number): void {
  const kept: number[] = [];
  const flat = flatRepeats(program);
  for (let at = 0; at < flat.length; at += FIELDS) if (flat[at] !== space) kept.push(...flat.slice(at, at + FIELDS));
  setRepeats(program, kept);
}

/** The crashes for a snapshot, oldest first, four numbers each. */
export function flatRepeats({ repeats }: Program): number[] {
  if (repeats === undefined) return [];
  const oldest = repeats[0] as number;
  return [...repeats.slice(oldest), ...repeats.slice(FIRST, oldest)];
}

/** Sets the crashes to what `flatRepeats` returned. */
export function setRepeats(program: Program, flat: readonly number[]): void {
  program.repeats = flat.length === 0 ? undefined : [FIRST, ...flat];
}

/** What the crashes cost of `limits.maxPoints`, in numbers. */
export function weighRepeats({ repeats }: Program): number {
  return repeats === undefined ? 0 : repeats.length - FIRST;
}
