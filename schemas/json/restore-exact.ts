import type { ExactFields } from './exact-fields.ts';
import { exactPlainInteger, exactUint64, type IntegerProblem } from './exact-integer.ts';

/** A 64-bit field whose source digits are out of bounds. `holder` is the parsed object it belongs to. */
export interface InexactField {
  readonly holder: object;
  readonly name: string | number;
  readonly problem: IntegerProblem;
}

type Holder = Record<string | number, unknown>;

/** Fewer digits than this are exact in a double whatever they are. */
const FIRST_INEXACT_LENGTH = 16;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/**
 * Puts the digits of the source back where JSON.parse rounded them: `parsed` must be what JSON.parse made of `text`, and is
 * changed in place. Fields known as 64-bit become exact by their mathematical value; integers of unknown fields, when written
 * as plain digits, become bigints too, so that an event that is written out again says what it said. Answers the first field
 * that has no unsigned 64-bit value.
 *
 * One pass over the text, which is known to be JSON, so nothing is checked twice. Of duplicate keys JSON.parse keeps the last:
 * a source value is put in only where it rounds to what JSON.parse holds there, and a later one replaces an earlier one.
 */
export function restoreExact(text: string, parsed: object, fields: ExactFields): InexactField | undefined {
  const problems: InexactField[] = [];
  skipOrWalk(text, skipSpace(text, 0), parsed, fields, problems);
  return problems[0];
}

/** Walks the container that begins at `at` and answers the index after it. */
function skipOrWalk(
  text: string,
  at: number,
  data: unknown,
  fields: ExactFields | undefined,
  problems: InexactField[],
): number {
  const holder = typeof data === 'object' && data !== null ? (data as Holder) : undefined;
  return text.charCodeAt(at) === OPEN_BRACE
    ? walkObject(text, at + 1, holder, fields, problems)
    : walkArray(text, at + 1, holder, fields, problems);
}

function walkObject(
  text: string,
  start: number,
  holder: Holder | undefined,
  fields: ExactFields | undefined,
  problems: InexactField[],
): number {
  const variant =
    holder && fields?.variants ? fields.variants.byTag.get(String(holder[fields.variants.property])) : undefined;
  let at = skipSpace(text, start);
  while (text.charCodeAt(at) !== CLOSE_BRACE) {
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
    const keyStart = at + 1;
    const keyEnd = endOfString(text, keyStart);
    at = keyEnd + 1;
    if (text.charCodeAt(at) !== COLON) at = skipSpace(text, at);
    at = skipSpace(text, at + 1);
    const first = text.charCodeAt(at);
    if (first === QUOTE) at = endOfString(text, at + 1) + 1;
    else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      const name = keyBetween(text, keyStart, keyEnd);
      const child = holder && Object.hasOwn(holder, name) ? holder[name] : undefined;
      at = skipOrWalk(text, at, child, variant?.members.get(name) ?? fields?.members.get(name), problems);
    } else if (first > 57) at = skipLiteral(text, at);
    else {
      const end = endOfNumber(text, at);
      if (holder && mayBeInexact(text, at, end)) {
        const name = keyBetween(text, keyStart, keyEnd);
        const field = variant?.members.get(name) ?? fields?.members.get(name);
        if (Object.hasOwn(holder, name)) restoreNumber(text.slice(at, end), holder, name, field, problems);
      }
      at = end;
    }
    if (text.charCodeAt(at) !== COMMA) at = skipSpace(text, at);
  }
  return at + 1;
}

function walkArray(
  text: string,
  start: number,
  holder: Holder | undefined,
  fields: ExactFields | undefined,
  problems: InexactField[],
): number {
  let index = 0;
  let at = skipSpace(text, start);
  while (text.charCodeAt(at) !== CLOSE_BRACKET) {
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
    const first = text.charCodeAt(at);
    if (first === QUOTE) at = endOfString(text, at + 1) + 1;
    else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      at = skipOrWalk(text, at, holder?.[index], fields?.items, problems);
    } else if (first > 57) at = skipLiteral(text, at);
    else {
      const end = endOfNumber(text, at);
      if (holder && mayBeInexact(text, at, end)) {
        restoreNumber(text.slice(at, end), holder, index, fields?.items, problems);
      }
      at = end;
    }
    index++;
    at = skipSpace(text, at);
  }
  return at + 1;
}

/** `holder[name]` is what JSON.parse made of the last duplicate, or what an earlier duplicate has put there. */
function restoreNumber(
  source: string,
  holder: Holder,
  name: string | number,
  field: ExactFields | undefined,
  problems: InexactField[],
): void {
  const held = holder[name];
  if (typeof held !== 'number' && typeof held !== 'bigint') return;
  if (Number(held) !== Number(source)) return;
  const known = field?.uint64 === true;
  const earlier = problems.findIndex((p) => p.holder === holder && p.name === name);
  if (earlier !== -1) problems.splice(earlier, 1);
  const exact = known ? exactUint64(source) : (exactPlainInteger(source) ?? held);
  if (typeof exact === 'string') problems.push({ holder, name, problem: exact });
  else holder[name] = exact;
}

/** Only long numbers and those with an exponent can be other than their double; -0 is written as 0. */
function mayBeInexact(text: string, at: number, end: number): boolean {
  if (end - at >= FIRST_INEXACT_LENGTH || text.charCodeAt(at) === 45) return true;
  for (let i = at; i < end; i++) if (text.charCodeAt(i) > 57) return true;
  return false;
}

function keyBetween(text: string, start: number, end: number): string {
  const key = text.slice(start, end);
  return key.includes('\\') ? (JSON.parse(`"${key}"`) as string) : key;
}

/** The index of the quote that ends the string whose first character is at `at`. */
function endOfString(text: string, at: number): number {
  for (; ; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
}

/** Digits, signs, point and exponent: everything but what may follow a number. */
function endOfNumber(text: string, at: number): number {
  for (; ; at++) {
    const code = text.charCodeAt(at);
    if ((code < 48 || code > 57) && code !== 46 && code !== 45 && code !== 43 && code !== 101 && code !== 69) return at;
  }
}

/** After `true`, `false` or `null`: all are lower-case letters. */
function skipLiteral(text: string, at: number): number {
  while (text.charCodeAt(at) >= 97 && text.charCodeAt(at) <= 122) at++;
  return at;
}

function skipSpace(text: string, at: number): number {
  while (text.charCodeAt(at) <= 32) at++;
  return at;
}
