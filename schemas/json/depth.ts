/** Maximum nesting depth of a record. Events need 6; a RegisterProbe can enclose events that enclose events. */
export const MAX_DEPTH = 64;
/**
 * Maximum nesting depth of any other JSON in a request. Runs accept less as input. PostgreSQL reads much more: its
 * stack overflows at some thousands.
 */
export const MAX_REQUEST_DEPTH = 256;

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Returns true if objects and arrays nest deeper than `limit`. Accepts any text, also invalid JSON, and is called
 * before any recursive function. For a text with few opening brackets, it only counts them with `indexOf`. A text with
 * more than `limit` opening brackets is scanned character by character.
 */
export function nestsDeeperThan(text: string, limit: number): boolean {
  let openers = 0;
  for (let at = text.indexOf('{'); at !== -1 && openers <= limit; at = text.indexOf('{', at + 1)) openers++;
  for (let at = text.indexOf('['); at !== -1 && openers <= limit; at = text.indexOf('[', at + 1)) openers++;
  return openers > limit && deepest(text, limit) > limit;
}

/** Returns the maximum depth, or the first depth beyond `limit`. */
function deepest(text: string, limit: number): number {
  let depth = 0;
  let max = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      for (at++; at < text.length; at++) {
        const inner = text.charCodeAt(at);
        if (inner === BACKSLASH) at++;
        else if (inner === QUOTE) break;
      }
    } else if (code === 123 || code === 91) {
      if (++depth > max) max = depth;
      if (max > limit) return max;
    } else if (code === 125 || code === 93) depth--;
  }
  return max;
}
