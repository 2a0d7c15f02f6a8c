/**
 * Up to 15 significant digits a double holds every decimal number; 2^53 - 1 (9007199254740991) is the first that long
 * numbers can go beyond.
 */
const SHORTEST = 16;
const HALF = SHORTEST / 2;

const QUOTE = 34;
const POINT = 46;

/**
 * Whether the text may hold a number that JSON.parse rounds to an integer: a run of 16 digits or more, a decimal point among
 * them or not, that does not begin a string. Such a run covers every 16th position of the text, so only those are looked at.
 * May say yes for digits inside a string, never no for such a number. What is rounded because of its exponent is not found.
 */
export function mayHoldLongNumber(text: string): boolean {
  const length = text.length;
  for (let at = SHORTEST - 1; at < length; at += SHORTEST) {
    if (!isOfNumber(text.charCodeAt(at))) continue;
    // A run of 16 around this place covers one of these two as well, and short numbers seldom do.
    if (!isOfNumber(text.charCodeAt(at - HALF)) && !isOfNumber(text.charCodeAt(at + HALF))) continue;
    let start = at;
    while (isOfNumber(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (isOfNumber(text.charCodeAt(end))) end++;
    if (end - start >= SHORTEST && text.charCodeAt(start - 1) !== QUOTE) return true;
    // On from the end of the run: walking back through a long one again and again would be quadratic.
    at = end - 1;
  }
  return false;
}

function isOfNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === POINT;
}
