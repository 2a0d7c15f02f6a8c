import type { JsonValue } from '../json-value.ts';

/**
 * Program and document for jq. Variables are part of the document, because program arguments would occupy the small
 * stack of jq. Only variables that the expression uses are sent.
 *
 * The program removes dependencies on machine and time. `now` is the time of the event that the run handles, from the
 * variable `__now` in seconds; without it, `now` fails. The environment is empty, local time is UTC, and there is no
 * second input.
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
/**
 * Matches words that the definitions above replace. The definitions are sent only when needed, because jq takes time to
 * parse them.
 */
const NEEDS_SEAL =
  /\b(?:now|env|localtime|strflocaltime|inputs?|debug|stderr|input_filename|get_search_list|halt|halt_error)\b/;

/** Returns the names of the variables in an expression. */
export function variablesOf(expression: string): readonly string[] {
  return [...new Set(Array.from(expression.matchAll(VARIABLE), (match) => match[1] ?? ''))];
}

/**
 * Combines an expression with its input and variables. Replaces lone surrogates with U+FFFD, because jq has no such
 * strings.
 */
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
    // The expression has its own lines, so a comment at its end cannot hide the closing bracket.
    program: `. as [$__in, $__v] | ${sealed ? SEALED : ''} ${bindings.join(' ')} $__in | (\n${expression}\n)`,
    document: document.includes('\\ud') ? document.replace(LONE_SURROGATE, '$1\\ufffd') : document,
  };
}
