import { SAME_CRASH_SECONDS } from '#schemas/crash.ts';

/**
 * Lines of crashes whose other line has not arrived, and whose place has since seen a crash of another process: parallel processes that crash at
 * one address print their lines interleaved. Flat: pid * 2 + kind of line, seconds, space, offset. The oldest arrival gives way.
 */
const STRIDE = 4;
const MAX_LINES = 64 * STRIDE;

/** An address as `Address` splits it; undefined when a dump was cut short before it. */
interface Place {
  readonly space: number;
  readonly offset: number;
}

/** Keeps a line, in place; drops those that are too old to pair. Returns the lines to use from now on. */
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
  // An array that is emptied gives its memory back, and takes new memory for the line.
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

/** The lines without the one that pairs, or undefined when none does. */
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
