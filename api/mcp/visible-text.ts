/**
 * Characters that readers do not see or that change how text around them is shown: control and format characters (among them those that
 * reverse the direction of text), surrogates without their pair, private and unassigned characters, separators, variation selectors, fillers
 * and blanks other than the space. Also the notation that stands for them, so that the text can be read back.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{DI}\u2800]|(?! )\p{Zs}|\\(?=u\{)/gu;

/** The text with each hidden character as `\u{HEX}`. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`);
}

/** The value with every text in it visible, names of members too. Integers that JSON readers round become text. */
export function visibleValue(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(visibleValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [visibleText(name), visibleValue(inner)]));
}
