/** The shortest run of digits that can be more than 2^53 - 1 (9007199254740991). */
const SHORTEST = 16;

const QUOTE = 34;

/**
 * Whether the text may hold an integer that JSON.parse rounds: a run of 16 digits or more that does not begin a string.
 * Such a run covers every 16th position of the text, so only those are looked at; may say yes for digits inside a string,
 * never no for a number.
 */
export function mayHoldLongInteger(text: string): boolean {
  const length = text.length;
  for (let at = SHORTEST - 1; at < length; at += SHORTEST) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    while (isDigit(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end - start < SHORTEST && isDigit(text.charCodeAt(end))) end++;
    if (end - start >= SHORTEST && text.charCodeAt(start - 1) !== QUOTE) return true;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
