import type { Instant } from '#schemas/events/accepted.ts';
import type { Address } from './address.ts';
import { chooseKept, WITH_NEIGHBOURS } from './keep-best.ts';

/**
 * The distinct register values in a program's dumps, sorted by (space, offset), in one flat array of doubles. The space
 * identifies the register and, for values of 2^53 and above, their top 16 bits. The offset is the rest of the value.
 */
export const STRIDE = 6;
const SPACE = 0;
const OFFSET = 1;
export const SECONDS = 2;
export const NANOS = 3;
export const PID = 4;
const SEQUENCE = 5;

/** Maximum number of values per program, over all registers. Beyond it, old values without neighbours are dropped. */
const MAX_SAMPLES = 512;
const KEPT = 384;
const EXACT_UNTIL = 16 * STRIDE;
const SPACES_A_REGISTER = 0x20000;

export function registerSpace(register: number, value: Address): number {
  return register * SPACES_A_REGISTER - value.space;
}

export function lowerBound(samples: readonly number[], space: number, offset: number): number {
  let low = 0;
  let high = samples.length / STRIDE;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const s = samples[middle * STRIDE + SPACE] as number;
    if (s < space || (s === space && (samples[middle * STRIDE + OFFSET] as number) < offset)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds a value, or updates its time if the stored one is outside the window. Returns the array to use from now on. */
export function addSample(
  samples: number[],
  space: number,
  offset: number,
  dump: { readonly time: Instant; readonly pid: number },
  sequence: number,
  window: number,
): number[] {
  const at = lowerBound(samples, space, offset) * STRIDE;
  const { seconds, nanos } = dump.time;
  if (samples[at + SPACE] === space && samples[at + OFFSET] === offset) {
    if (Math.abs((samples[at + SECONDS] as number) - seconds) > window) {
      samples[at + SECONDS] = seconds;
      samples[at + NANOS] = nanos;
      samples[at + PID] = dump.pid;
    }
    samples[at + SEQUENCE] = sequence;
    return samples;
  }
  const value = [space, offset, seconds, nanos, dump.pid, sequence];
  // Most programs have a few values. Short arrays get no spare capacity, and long ones are not copied.
  if (samples.length < EXACT_UNTIL) return samples.slice(0, at).concat(value, samples.slice(at));
  samples.splice(at, 0, ...value);
  return samples.length > MAX_SAMPLES * STRIDE ? keepBest(samples) : samples;
}

/** Returns true if the value directly below or above was also seen. */
export function hasNeighbour(samples: readonly number[], space: number, offset: number): boolean {
  const at = lowerBound(samples, space, offset) * STRIDE;
  return isValue(samples, at - STRIDE, space, offset - 1) || isValue(samples, at + STRIDE, space, offset + 1);
}

function isValue(samples: readonly number[], at: number, space: number, offset: number): boolean {
  return at >= 0 && samples[at + SPACE] === space && samples[at + OFFSET] === offset;
}

function keepBest(samples: readonly number[]): number[] {
  const count = samples.length / STRIDE;
  const ranks = new Float64Array(count);
  for (let i = 0; i < count; i += 1) {
    const hasNeighbours = isStep(samples, i - 1) || isStep(samples, i);
    ranks[i] = (samples[i * STRIDE + SEQUENCE] as number) + (hasNeighbours ? WITH_NEIGHBOURS : 0);
  }
  const chosen = chooseKept(ranks, KEPT);
  const kept: number[] = [];
  for (let i = 0; i < count; i += 1) {
    if (!chosen(i)) continue;
    for (let field = 0; field < STRIDE; field += 1) kept.push(samples[i * STRIDE + field] as number);
  }
  return kept;
}

/** Returns true if the value at `index` and the next one differ by exactly 1. */
function isStep(samples: readonly number[], index: number): boolean {
  if (index < 0) return false;
  const at = index * STRIDE;
  return isValue(samples, at + STRIDE, samples[at + SPACE] as number, (samples[at + OFFSET] as number) + 1);
}
