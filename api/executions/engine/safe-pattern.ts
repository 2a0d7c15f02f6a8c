const LONGEST = 500;
const REPEATED_GROUP = /\(((?:[^()\\]|\\.)*)\)(?:[+*]|\{\d*,)/g;
const ESCAPED = /\\./gs;
const NESTED_DEEPER = /[+*}]\)+(?:[+*]|\{\d*,)/;

/**
 * A regular expression from a definition, unless it could take exponential time on some text: such patterns run on the thread that serves everybody.
 * The test is coarse and refuses a few harmless ones; throws with the reason.
 */
export function safePattern(pattern: string, flags = 'u'): RegExp {
  if (pattern.length > LONGEST) throw new Error(`a pattern is longer than ${LONGEST} characters`);
  if (repeatsRepetition(pattern) || NESTED_DEEPER.test(pattern) || /\\[1-9]|\\k</.test(pattern))
    throw new Error('a pattern repeats a repetition or refers back: it could take for ever');
  return new RegExp(pattern, flags);
}

/** A group that repeats something and is itself repeated, such as `(a+)+`; alternatives that repeat, such as `(a|a)*`. */
function repeatsRepetition(pattern: string): boolean {
  for (const [, inside = ''] of pattern.matchAll(REPEATED_GROUP))
    if (/[+*}|]/.test(inside.replaceAll(ESCAPED, ''))) return true;
  return false;
}
