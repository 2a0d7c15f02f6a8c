import type { JsonValue } from '../json-value.ts';

/**
 * The program and the document that jq is given. Variables are part of the document, next to the input: arguments of the program would lie on jq's small
 * stack. Only variables that the expression names are sent.
 *
 * What would make an expression depend on the machine or the moment is taken away: `now` is the time of the event that the run reacts to (from the
 * variable `__now`, in seconds; without it `now` fails), there is no environment, local time is UTC, and there is no second input.
 */
export interface JqProgram {
  readonly program: string;
  readonly document: string;
}

const VARIABLE = /\$([A-Za-z_][A-Za-z0-9_]*)/g;
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;
const SEALED = [
  'def now: $__v.__now // error("now is not known here");',
  'def env: {};',
  'def localtime: gmtime;',
  'def strflocaltime(f): strftime(f);',
  'def input: error("there is one input only");',
  'def inputs: error("there is one input only");',
  'def debug: .;',
  'def debug(f): .;',
  'def stderr: .;',
  'def input_filename: null;',
  'def get_search_list: [];',
  'def halt: error("halt");',
  'def halt_error: error("halt_error");',
  'def halt_error(f): error("halt_error");',
].join(' ');
/** Words of the expression that one of the definitions above changes: parsing them costs time, so only then are they sent. */
const NEEDS_SEAL =
  /\b(?:now|env|localtime|strflocaltime|inputs?|debug|stderr|input_filename|get_search_list|halt|halt_error)\b/;

/** Names of the variables that an expression mentions. */
export function variablesOf(expression: string): readonly string[] {
  return [...new Set(Array.from(expression.matchAll(VARIABLE), (match) => match[1] ?? ''))];
}

/** Puts an expression, its input and its variables together. Text that is no Unicode (lone surrogates) becomes U+FFFD, as jq has no such strings. */
export function jqProgram(
  expression: string,
  input: JsonValue,
  variables: Readonly<Record<string, JsonValue>>,
): JqProgram {
  const used: Record<string, JsonValue> = {};
  const bindings = ['{} as $ENV |'];
  for (const name of variablesOf(expression)) {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined || name === '__v' || name === '__in') continue;
    used[name] = value;
    bindings.push(`$__v.${name} as $${name} |`);
  }
  const sealed = NEEDS_SEAL.test(expression);
  if (sealed && typeof variables.__now === 'number') used.__now = variables.__now;
  const document = JSON.stringify([input, used]);
  return {
    // The expression stands on lines of its own, so that a comment at its end hides nothing of the frame.
    program: `. as [$__in, $__v] | ${sealed ? SEALED : ''} ${bindings.join(' ')} $__in | (\n${expression}\n)`,
    document: document.includes('\\ud') ? document.replace(LONE_SURROGATE, '$1\\ufffd') : document,
  };
}
