import type { JsonValue } from '../json-value.ts';

/**
 * Evaluates simple expressions without jq: paths (`.`, `.a.b`, `.a[0]`, `.["a"]`, `$input.x`), literals, comparisons,
 * `and` and `or`. Most expressions are simple. Results equal those of jq. Returns FALL_BACK, and jq is called, if jq
 * would report an error or if a rule is not implemented here (order of strings and of mixed types).
 */
export const FALL_BACK: unique symbol = Symbol('jq');
export type FastExpression = (
  input: JsonValue,
  variables: Readonly<Record<string, JsonValue>>,
) => JsonValue | typeof FALL_BACK;

const TOKEN =
  /\s*(?:(\.[A-Za-z_]\w*|\.(?=\s*\[)|\.)|\$([A-Za-z_]\w*)|("[^"\\]*")|(-?\d{1,15}(?:\.\d{1,6})?)(?![\w.])|(==|!=|<=|>=|<|>|\[|\])|([a-z]+)\b)/y;
const OPERATORS = new Set(['==', '!=', '<', '>', '<=', '>=']);

/** Compiles an expression. Returns undefined if it is not simple. */
export function compileFast(expression: string): FastExpression | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const end = expression.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(expression);
    if (match === null) return undefined;
    tokens.push(match[0].trim());
  }
  const reader = { tokens, at: 0 };
  const compiled = readOr(reader);
  return reader.at === tokens.length ? compiled : undefined;
}

interface Reader {
  readonly tokens: readonly string[];
  at: number;
}

const truthy = (value: JsonValue): boolean => value !== null && value !== false;

function readOr(reader: Reader): FastExpression | undefined {
  return readChain(reader, 'or', true, (inner) => readChain(inner, 'and', false, readComparison));
}

/** Parses `a and b and c`. Evaluation stops at the first operand that decides, as in jq. */
function readChain(
  reader: Reader,
  word: string,
  decides: boolean,
  readOperand: (reader: Reader) => FastExpression | undefined,
): FastExpression | undefined {
  const first = readOperand(reader);
  if (first === undefined) return undefined;
  const operands = [first];
  while (reader.tokens[reader.at] === word) {
    reader.at++;
    const next = readOperand(reader);
    if (next === undefined) return undefined;
    operands.push(next);
  }
  if (operands.length === 1) return first;
  return (input, variables) => {
    for (const operand of operands) {
      const value = operand(input, variables);
      if (value === FALL_BACK) return FALL_BACK;
      if (truthy(value) === decides) return decides;
    }
    return !decides;
  };
}

function readComparison(reader: Reader): FastExpression | undefined {
  const left = readOperand(reader);
  const operator = reader.tokens[reader.at];
  if (left === undefined || operator === undefined || !OPERATORS.has(operator)) return left;
  reader.at++;
  const right = readOperand(reader);
  // Comparisons are not associative: jq rejects `a == b == c` with an error of its own.
  if (right === undefined || OPERATORS.has(reader.tokens[reader.at] ?? '')) return undefined;
  return (input, variables) => {
    const a = left(input, variables);
    const b = right(input, variables);
    if (a === FALL_BACK || b === FALL_BACK) return FALL_BACK;
    if (operator === '==' || operator === '!=') return equalJson(a, b) === (operator === '==');
    if (typeof a !== 'number' || typeof b !== 'number') return FALL_BACK;
    if (operator === '<') return a < b;
    if (operator === '>') return a > b;
    return operator === '<=' ? a <= b : a >= b;
  };
}

function readOperand(reader: Reader): FastExpression | undefined {
  const token = reader.tokens[reader.at];
  if (token === undefined) return undefined;
  if (token === 'null' || token === 'true' || token === 'false' || /^["\d-]/.test(token)) {
    reader.at++;
    const literal = readLiteral(/^-?0\d/.test(token) ? 'null' : token);
    if (literal === undefined) return undefined;
    // jq handles an index after a literal, and number formats that JSON lacks.
    if (/^-?0\d|^-0/.test(token) || /^[.[]/.test(reader.tokens[reader.at] ?? '')) return undefined;
    return () => literal;
  }
  if (token.startsWith('$')) {
    const name = token.slice(1);
    reader.at++;
    const path = readPath(reader);
    if (path === undefined || name === 'ENV' || name.startsWith('__')) return undefined;
    return (_input, variables) => {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      return value === undefined ? FALL_BACK : follow(value, path);
    };
  }
  if (!token.startsWith('.')) return undefined;
  if (token === '.') {
    reader.at++;
    // `. .a` and `..` have other meanings in jq.
    if (reader.tokens[reader.at]?.startsWith('.')) return undefined;
  }
  const path = readPath(reader);
  return path === undefined ? undefined : (input) => follow(input, path);
}

/**
 * Returns undefined for a literal that JSON does not allow, such as a string with a control character. jq then handles
 * it.
 */
function readLiteral(token: string): JsonValue | undefined {
  try {
    return JSON.parse(token) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Returns undefined if a bracket holds anything but an index or a plain string. */
function readPath(reader: Reader): readonly (string | number)[] | undefined {
  const path: (string | number)[] = [];
  for (;;) {
    const token = reader.tokens[reader.at];
    if (token !== undefined && /^\.\w/.test(token)) {
      path.push(token.slice(1));
      reader.at++;
    } else if (token === '[') {
      const key = reader.tokens[reader.at + 1];
      if (key === undefined || reader.tokens[reader.at + 2] !== ']') return undefined;
      if (/^-?\d{1,9}$/.test(key)) path.push(Number(key));
      else {
        const name = readLiteral(key);
        if (typeof name !== 'string') return undefined;
        path.push(name);
      }
      reader.at += 3;
    } else if (token === '.') return undefined;
    else return path;
  }
}

function follow(start: JsonValue, path: readonly (string | number)[]): JsonValue | typeof FALL_BACK {
  let value = start;
  for (const key of path) {
    if (value === null) continue;
    if (Array.isArray(value) && typeof key === 'number') {
      value = (value as readonly JsonValue[])[key < 0 ? value.length + key : key] ?? null;
    } else if (typeof value === 'object' && !Array.isArray(value) && typeof key === 'string') {
      value = Object.hasOwn(value, key) ? ((value as { readonly [name: string]: JsonValue })[key] ?? null) : null;
    } else return FALL_BACK;
  }
  return value;
}

/** Compares JSON values. The order of members is ignored. */
export function equalJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item: JsonValue, index) => equalJson(item, b[index] as JsonValue))
    );
  const left = a as { readonly [name: string]: JsonValue };
  const right = b as { readonly [name: string]: JsonValue };
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equalJson(left[name] ?? null, right[name] ?? null))
  );
}
