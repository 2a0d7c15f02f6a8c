import type { Instant } from '#schemas/events/accepted.ts';
import { compareInstants } from '../episode.ts';
import type { Address } from './address.ts';
import type { Program } from './program.ts';
import { ruleMemory } from './rule-memory.ts';

/*
 * The latest crashes of a program at places where it had crashed before, flat: space, offset, seconds, nanoseconds. A place keeps only its first and its
 * last crash; an episode that begins between them counts those since its beginning by these.
 */
const KEY = 'repeated-crashes';
const FIELDS = 4;
/** Most episodes open with their third to eighth crash. */
const MAX_REPEATS = 8;

/** Keeps a crash at a known place. The oldest gives way. */
export function keepRepeat(program: Program, { space, offset }: Address, { seconds, nanos }: Instant): void {
  const repeats = ruleMemory(program, KEY);
  if (repeats.length >= MAX_REPEATS * FIELDS) repeats.splice(0, FIELDS);
  repeats.push(space, offset, seconds, nanos);
}

/** Kept crashes at a place from `first` on. */
export function repeatsSince(program: Program, space: number, offset: number, first: Instant): number {
  const repeats = program.memory?.get(KEY) ?? [];
  let found = 0;
  for (let at = 0; at < repeats.length; at += FIELDS) {
    if (repeats[at] !== space || repeats[at + 1] !== offset) continue;
    const time = { seconds: repeats[at + 2] as number, nanos: repeats[at + 3] as number };
    if (compareInstants(time, first) >= 0) found += 1;
  }
  return found;
}

/** The crashes at these absolute addresses now lie in a mapping that became known: `number` is its space, `base` its address. */
export function adoptRepeats(program: Program, number: number, base: Address, size: number): void {
  const repeats = program.memory?.get(KEY) ?? [];
  for (let at = 0; at < repeats.length; at += FIELDS) {
    const offset = (repeats[at + 1] as number) - base.offset;
    if (repeats[at] === base.space && offset >= 0 && offset < size) repeats.splice(at, 2, number, offset);
  }
}

/** Forgets the crashes of a space whose number another mapping gets. */
export function forgetRepeats(program: Program, space: number): void {
  const repeats = program.memory?.get(KEY) ?? [];
  for (let at = repeats.length - FIELDS; at >= 0; at -= FIELDS) if (repeats[at] === space) repeats.splice(at, FIELDS);
}
