/**
 * Returns true if the whole text matches the pattern, in which `*` matches any characters, including none. Takes time
 * at most proportional to the product of both lengths.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let resumeAt = 0;
  while (at < text.length) {
    if (pattern[next] === '*') {
      star = next++;
      resumeAt = at;
    } else if (pattern[next] === text[at]) {
      next++;
      at++;
    } else if (star >= 0) {
      next = star + 1;
      at = ++resumeAt;
    } else return false;
  }
  while (pattern[next] === '*') next++;
  return next === pattern.length;
}
