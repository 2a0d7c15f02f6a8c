/**
 * Matches a whole value against a pattern, case-sensitively. `*` matches any string, `?` one character, and every other
 * character itself. Attackers choose the names, so the time is bounded by pattern length × value length. A regular
 * expression could take exponential time.
 */
export function matchesGlob(pattern: string, value: string): boolean {
  let p = 0;
  let v = 0;
  let star = -1;
  let resume = 0;
  while (v < value.length) {
    if (p < pattern.length && pattern[p] === '*') {
      star = p;
      resume = v;
      p += 1;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === value[v])) {
      p += 1;
      v += 1;
    } else if (star >= 0) {
      p = star + 1;
      resume += 1;
      v = resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}
