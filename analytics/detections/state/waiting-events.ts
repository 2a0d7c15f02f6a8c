import type { Program } from './program.ts';
import { placeOfNextRepeat } from './repeated-crashes.ts';

/** Without a use of what was read, the engine would not read it. */
const kept = new Float64Array(1);

/**
 * Reads one number of each array and object of a program that the next steps use. The processor then waits for all of them at once, where each step
 * would wait for its own: programs of a fleet are rarely in its cache.
 */
export function readAhead(program: Program): void {
  const { points, registers, latest, older, newer } = program;
  if (points.length === 0) return;
  let read = (points[0] as number) + (points[points.length >> 1] as number) + (points[points.length - 1] as number);
  if (program.ring >= 0) read += program.host.rings.numbers[placeOfNextRepeat(program)] as number;
  if (registers !== undefined && registers.length > 0) read += registers[registers.length >> 1] as number;
  if (latest !== undefined) read += latest.baseOffset;
  if (older !== undefined) read += older.weight;
  if (newer !== undefined) read += newer.weight;
  kept[0] = read;
}
