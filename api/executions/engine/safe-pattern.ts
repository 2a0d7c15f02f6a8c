const LONGEST = 500;
/** A group that repeats something and is itself repeated, such as `(a+)+`; alternatives that repeat, such as `(a|a)*`. */
const NESTED = /\((?:[^()\\]|\\.)*(?:[+*}|])(?:[^()\\]|\\.)*\)(?:[+*]|\{\d*,)/;
const NESTED_DEEPER = /[+*}]\)+(?:[+*]|\{\d*,)/;

/**
 * A regular expression from a definition, unless it could take exponential time on some text: such patterns run on the thread that serves everybody.
 * The test is coarse and refuses a few harmless ones; throws with the reason.
 */
export function safePattern(pattern: string, flags = 'u'): RegExp {
  if (pattern.length > LONGEST) throw new Error(`a pattern is longer than ${LONGEST} characters`);
  if (NESTED.test(pattern) || NESTED_DEEPER.test(pattern) || /\\[1-9]|\\k</.test(pattern))
    throw new Error('a pattern repeats a repetition or refers back: it could take for ever');
  return new RegExp(pattern, flags);
}
