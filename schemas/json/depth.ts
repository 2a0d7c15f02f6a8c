/** How deep a record may nest. Events need 6; a RegisterProbe may enclose events that enclose events. */
export const MAX_DEPTH = 64;
/** How deep any other JSON of a request may: more than runs take as their input, and far from what PostgreSQL reads, whose stack ends at some thousands. */
export const MAX_REQUEST_DEPTH = 256;

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Whether objects and arrays nest deeper than `limit`. Says it of any text, JSON or not, and before anything recursive sees it.
 * An ordinary event is answered by counting its few openers with the engine's own search; only a text with more openers than
 * the limit is read character by character.
 */
export function nestsDeeperThan(text: string, limit: number): boolean {
  let openers = 0;
  for (let at = text.indexOf('{'); at !== -1 && openers <= limit; at = text.indexOf('{', at + 1)) openers++;
  for (let at = text.indexOf('['); at !== -1 && openers <= limit; at = text.indexOf('[', at + 1)) openers++;
  return openers > limit && deepest(text, limit) > limit;
}

/** The greatest depth, counted up to the first place beyond `limit`. */
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
