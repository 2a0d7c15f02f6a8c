export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'place';
  readonly text: string;
}

/**
 * Maximum product of the line counts. Beyond it, the middle is shown as replaced, because comparing it would block the
 * page.
 */
const MAX_CELLS = 1_000_000;

/** Returns the complete line diff of two texts. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const same = (lines: readonly string[]) => lines.map((text): DiffLine => ({ kind: 'same', text }));
  return [
    ...same(a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ];
}

/** Compares by the longest common subsequence. */
function middle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text });
  const added = (text: string): DiffLine => ({ kind: 'added', text });
  if (a.length * b.length > MAX_CELLS) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] ?? '' });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push(removed(a[i++] ?? ''));
    else lines.push(added(b[j++] ?? ''));
  }
  return [...lines, ...a.slice(i).map(removed), ...b.slice(j).map(added)];
}

/** Returns the lines of a unified diff from the API. */
export function unifiedLines(diff: string): DiffLine[] {
  const lines = diff.replace(/\n$/, '').split('\n');
  return lines
    .filter((line, index) => index > 1 || !/^(---|\+\+\+) /.test(line))
    .filter((line) => line !== '')
    .map((line): DiffLine => {
      if (line.startsWith('@@') || line.startsWith('\\')) return { kind: 'place', text: line };
      const kind = line.startsWith('-') ? 'removed' : line.startsWith('+') ? 'added' : 'same';
      return { kind, text: line.slice(1) };
    });
}
