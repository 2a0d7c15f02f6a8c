/**
 * Returns the known name with the smallest edit distance, or undefined if it exceeds half of the characters after the
 * prefix (`KAFKA_`).
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.ceil((name.length - name.indexOf('_') - 1) / 2));
  let best: { name: string; edits: number } | undefined;
  for (const candidate of known) {
    const edits = editDistance(name, candidate);
    if (edits <= limit && (best === undefined || edits < best.edits)) best = { name: candidate, edits };
  }
  return best?.name;
}

/**
 * Returns the edit distance: the number of insertions, deletions, replacements and swaps of neighbours that turn `a`
 * into `b`.
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1);
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
