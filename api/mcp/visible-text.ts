/**
 * Characters that are invisible or change how adjacent text is displayed: control and format characters (including
 * those that reverse the text direction), unpaired surrogates, private and unassigned characters, separators, variation
 * selectors, fillers, and blanks other than the space. Also the notation that replaces them, so that the text can be
 * decoded unambiguously.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{DI}\u2800]|(?! )\p{Zs}|\\(?=u\{)/gu;

/** Returns the text with each hidden character replaced by `\u{HEX}`. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`);
}

/** Makes all texts in a value visible, including member names. Integers that JSON readers would round become strings. */
export function visibleValue(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(visibleValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [visibleText(name), visibleValue(inner)]));
}
