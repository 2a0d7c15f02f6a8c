/** Maximum number of differing lines. Above it, the whole differing range is reported as replaced, which is fast. */
const MAX_DIFFERENCES = 800;
const NO_NEWLINE = '\\ No newline at end of file';
const CONTEXT = 3;

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

interface Edit {
  readonly kind: ' ' | '-' | '+';
  readonly line: string;
}

/** Returns the unified diff of two texts with three lines of context; empty if they are equal. */
export function unifiedDiff(before: NamedText, after: NamedText): string {
  if (before.text === after.text) return '';
  const edits = editsOf(linesOf(before.text), linesOf(after.text));
  return [`--- ${before.name}`, `+++ ${after.name}`, ...hunksOf(edits)].join('\n').concat('\n');
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  else lines.push(NO_NEWLINE);
  return lines;
}

function editsOf(before: readonly string[], after: readonly string[]): Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  const same = (lines: readonly string[]): Edit[] => lines.map((line) => ({ kind: ' ', line }));
  const middle = shortest(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - end))];
}

/** Returns the shortest edit script (E. W. Myers, An O(ND) Difference Algorithm, 1986). */
function shortest(before: readonly string[], after: readonly string[]): Edit[] {
  const trail: Map<number, number>[] = [];
  const reach = new Map<number, number>([[1, 0]]);
  for (let differences = 0; differences <= Math.min(MAX_DIFFERENCES, before.length + after.length); differences += 1) {
    trail.push(new Map(reach));
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = comesFromAbove(reach, diagonal, differences)
        ? (reach.get(diagonal + 1) ?? 0)
        : (reach.get(diagonal - 1) ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      reach.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return backtrack(trail, before, after);
    }
  }
  return [...before.map((line): Edit => ({ kind: '-', line })), ...after.map((line): Edit => ({ kind: '+', line }))];
}

function comesFromAbove(reach: ReadonlyMap<number, number>, diagonal: number, differences: number): boolean {
  if (diagonal === -differences) return true;
  return diagonal !== differences && (reach.get(diagonal - 1) ?? 0) < (reach.get(diagonal + 1) ?? 0);
}

function backtrack(
  trail: readonly ReadonlyMap<number, number>[],
  before: readonly string[],
  after: readonly string[],
): Edit[] {
  const edits: Edit[] = [];
  let x = before.length;
  let y = after.length;
  for (let differences = trail.length - 1; differences >= 0; differences -= 1) {
    const reach = trail[differences] ?? new Map<number, number>();
    const diagonal = x - y;
    const previous = comesFromAbove(reach, diagonal, differences) ? diagonal + 1 : diagonal - 1;
    const fromX = reach.get(previous) ?? 0;
    const fromY = fromX - previous;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      edits.push({ kind: ' ', line: before[x] ?? '' });
    }
    if (differences === 0) break;
    if (x === fromX) edits.push({ kind: '+', line: after[--y] ?? '' });
    else edits.push({ kind: '-', line: before[--x] ?? '' });
  }
  return edits.reverse();
}

function hunksOf(edits: readonly Edit[]): string[] {
  const changed = edits.flatMap(({ kind }, index) => (kind === ' ' ? [] : [index]));
  const lines: string[] = [];
  let beforeLine = 1;
  let afterLine = 1;
  let at = 0;
  for (let next = 0; next < changed.length; ) {
    let last = next;
    while (last + 1 < changed.length && (changed[last + 1] ?? 0) - (changed[last] ?? 0) <= 2 * CONTEXT) last += 1;
    const from = Math.max(0, (changed[next] ?? 0) - CONTEXT);
    const to = Math.min(edits.length, (changed[last] ?? 0) + CONTEXT + 1);
    // Both texts are equal between two hunks.
    beforeLine += from - at;
    afterLine += from - at;
    const hunk = edits.slice(from, to);
    const removed = hunk.filter(({ kind, line }) => kind !== '+' && line !== NO_NEWLINE).length;
    const added = hunk.filter(({ kind, line }) => kind !== '-' && line !== NO_NEWLINE).length;
    lines.push(`@@ -${rangeOf(beforeLine, removed)} +${rangeOf(afterLine, added)} @@`);
    for (const { kind, line } of hunk) lines.push(line === NO_NEWLINE ? line : kind + line);
    beforeLine += removed;
    afterLine += added;
    at = to;
    next = last + 1;
  }
  return lines;
}

function rangeOf(line: number, count: number): string {
  return count === 1 ? String(line) : `${count === 0 ? line - 1 : line},${count}`;
}
