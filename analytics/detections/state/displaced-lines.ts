import { SAME_CRASH_SECONDS } from '#schemas/crash.ts';

/**
 * Unmatched lines of crashes whose place has since recorded a crash of another process. Parallel processes that crash
 * at one address print their lines interleaved. Flat numbers: pid * 2 + line kind, seconds, space, offset. The oldest
 * arrival is dropped first.
 */
const STRIDE = 4;
const MAX_LINES = 64 * STRIDE;

/** An address in the form of `Address`. Undefined if a dump was truncated before it. */
interface Place {
  readonly space: number;
  readonly offset: number;
}

/** Adds a line in place, and drops those too old to match. Returns the array to use from now on. */
export function keepLine(
  lines: number[] | undefined,
  printed: number,
  seconds: number,
  { space, offset }: Place,
): number[] {
  if (lines === undefined) return [printed, seconds, space, offset];
  let to = 0;
  for (let at = 0; at < lines.length; at += STRIDE) {
    if (Math.abs((lines[at + 1] as number) - seconds) > SAME_CRASH_SECONDS) continue;
    if (to !== at) move(lines, at, to);
    to += STRIDE;
  }
  // An emptied array would release its memory and allocate again for the new line.
  lines[to] = printed;
  lines[to + 1] = seconds;
  lines[to + 2] = space;
  lines[to + 3] = offset;
  if (lines.length > to + STRIDE) lines.length = to + STRIDE;
  if (lines.length > MAX_LINES) lines.splice(0, lines.length - MAX_LINES);
  return lines;
}

function move(lines: number[], from: number, to: number): void {
  for (let field = 0; field < STRIDE; field += 1) lines[to + field] = lines[from + field] as number;
}

/** Returns the lines without the matching one, or undefined if none matches. */
export function takeLine(
  lines: readonly number[] | undefined,
  printed: number,
  seconds: number,
  place: Place | undefined,
): number[] | undefined {
  if (lines === undefined) return undefined;
  for (let at = 0; at < lines.length; at += STRIDE) {
    if (lines[at] !== printed || Math.abs((lines[at + 1] as number) - seconds) > SAME_CRASH_SECONDS) continue;
    if (place !== undefined && (lines[at + 2] !== place.space || lines[at + 3] !== place.offset)) continue;
    return lines.toSpliced(at, STRIDE);
  }
  return undefined;
}
