/**
 * A double represents every decimal number with up to 15 significant digits. A number above 2^53 - 1 (9007199254740991)
 * has at least 16.
 */
const SHORTEST = 16;
const HALF = SHORTEST / 2;

const QUOTE = 34;
const POINT = 46;

/**
 * Returns true if the text may hold a number that JSON.parse rounds to an integer: a run of at least 16 digits, with or
 * without a decimal point, that is not preceded by a quote. Such a run covers every 16th position of the text, so only
 * those are checked. False positives are possible for digits inside a string; false negatives are not. Numbers that are
 * rounded because of their exponent are not found.
 */
export function mayHoldLongNumber(text: string): boolean {
  const length = text.length;
  for (let at = SHORTEST - 1; at < length; at += SHORTEST) {
    if (!isOfNumber(text.charCodeAt(at))) continue;
    // A run of 16 digits around this position also covers one of these two positions. Short numbers rarely do.
    if (!isOfNumber(text.charCodeAt(at - HALF)) && !isOfNumber(text.charCodeAt(at + HALF))) continue;
    let start = at;
    while (isOfNumber(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (isOfNumber(text.charCodeAt(end))) end++;
    if (end - start >= SHORTEST && text.charCodeAt(start - 1) !== QUOTE) return true;
    // Continues after the run. Scanning back through the same long run repeatedly would take quadratic time.
    at = end - 1;
  }
  return false;
}

function isOfNumber(code: number): boolean {
  return (code >= 48 && code <= 57) || code === POINT;
}
