import type { ExactFields } from './exact-fields.ts';
import { exactInteger, exactUint64, type IntegerProblem } from './exact-integer.ts';

/** A 64-bit field whose source digits are out of bounds. `holder` is the parsed object it belongs to. */
export interface InexactField {
  readonly holder: object;
  readonly name: string | number;
  readonly problem: IntegerProblem;
}

type Holder = Record<string | number, unknown>;

/** What one walk works on. */
interface Walk {
  /** The text in UTF-8: reading bytes of a Buffer costs a fifth of `charCodeAt`. */
  readonly bytes: Buffer;
  /** The text itself while its positions are those of the bytes, that is, while it is ASCII. */
  readonly ascii: string | undefined;
  readonly problems: InexactField[];
}

/** Fewer digits than this are exact in a double whatever they are. */
const FIRST_INEXACT_LENGTH = 16;

const QUOTE = 34;
const MINUS = 45;
const COMMA = 44;
const NINE = 57;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

/** Reused by every walk over an ordinary event: a walk is synchronous and keeps nothing of it. */
const SCRATCH = Buffer.allocUnsafeSlow(64 * 1024);
const MAX_BYTES_A_UNIT = 3;

/**
 * Puts the digits of the source back where JSON.parse rounded them: `parsed` must be what JSON.parse made of `text`, an object or
 * array, and is changed in place. Fields known as 64-bit become exact by their mathematical value; integers of unknown fields,
 * when written as plain digits, become bigints too, so that an event that is written out again says what it said. Answers the
 * first field that has no unsigned 64-bit value.
 *
 * One pass over the text, which is known to be JSON, so nothing is checked twice. Of duplicate keys JSON.parse keeps the last:
 * a source value is put in only where it rounds to what JSON.parse holds there, and a later one replaces an earlier one.
 */
export function restoreExact(text: string, parsed: object, fields: ExactFields): InexactField | undefined {
  const fits = text.length * MAX_BYTES_A_UNIT <= SCRATCH.length;
  const bytes = fits ? SCRATCH : Buffer.from(text);
  const length = fits ? SCRATCH.write(text, 'utf8') : bytes.length;
  const walk: Walk = { bytes, ascii: length === text.length ? text : undefined, problems: [] };
  walkContainer(walk, skipSpace(bytes, 0), parsed, fields);
  return walk.problems[0];
}

/** Walks the object or array that begins at `at` and answers the index after it. */
function walkContainer(walk: Walk, at: number, data: unknown, fields: ExactFields | undefined): number {
  const holder = typeof data === 'object' && data !== null ? (data as Holder) : undefined;
  return byteAt(walk.bytes, at) === OPEN_BRACE
    ? walkObject(walk, at + 1, holder, fields)
    : walkArray(walk, at + 1, holder, fields?.items);
}

function walkObject(walk: Walk, start: number, holder: Holder | undefined, fields: ExactFields | undefined): number {
  const { bytes } = walk;
  const variants = holder && fields?.variants;
  const variant = variants ? variants.byTag.get(String(holder[variants.property])) : undefined;
  let at = skipSpace(bytes, start);
  while (byteAt(bytes, at) !== CLOSE_BRACE) {
    if (byteAt(bytes, at) === COMMA) at = skipSpace(bytes, at + 1);
    const keyStart = at + 1;
    const keyEnd = endOfString(bytes, keyStart);
    at = keyEnd + 1;
    if (byteAt(bytes, at) !== COLON) at = skipSpace(bytes, at);
    at = skipSpace(bytes, at + 1);
    const first = byteAt(bytes, at);
    if (first === QUOTE) at = endOfString(bytes, at + 1) + 1;
    else if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      const name = keyBetween(walk, keyStart, keyEnd);
      const child = holder && Object.hasOwn(holder, name) ? holder[name] : undefined;
      at = walkContainer(walk, at, child, variant?.members.get(name) ?? fields?.members.get(name));
    } else if (first > NINE) at = skipLiteral(bytes, at);
    else {
      const digitsEnd = endOfDigits(bytes, at);
      const end = endOfNumber(bytes, digitsEnd);
      if (holder && mayBeInexact(at, digitsEnd, end)) {
        const key = keyBetween(walk, keyStart, keyEnd);
        const field = variant?.members.get(key) ?? fields?.members.get(key);
        // The schema's own string for the name is one the engine has looked up before; a fresh slice is not.
        const name = field?.uint64 ? field.name : key;
        restoreNumber(walk, sourceBetween(walk, at, end), end === digitsEnd, holder, name, field);
      }
      at = end;
    }
    if (byteAt(bytes, at) !== COMMA) at = skipSpace(bytes, at);
  }
  return at + 1;
}

function walkArray(walk: Walk, start: number, holder: Holder | undefined, items: ExactFields | undefined): number {
  const { bytes } = walk;
  let index = 0;
  let at = skipSpace(bytes, start);
  while (byteAt(bytes, at) !== CLOSE_BRACKET) {
    if (byteAt(bytes, at) === COMMA) at = skipSpace(bytes, at + 1);
    const first = byteAt(bytes, at);
    if (first === QUOTE) at = endOfString(bytes, at + 1) + 1;
    else if (first === OPEN_BRACE || first === OPEN_BRACKET) at = walkContainer(walk, at, holder?.[index], items);
    else if (first > NINE) at = skipLiteral(bytes, at);
    else {
      const digitsEnd = endOfDigits(bytes, at);
      const end = endOfNumber(bytes, digitsEnd);
      if (holder && mayBeInexact(at, digitsEnd, end)) {
        restoreNumber(walk, sourceBetween(walk, at, end), end === digitsEnd, holder, index, items);
      }
      at = end;
    }
    index++;
    at = skipSpace(bytes, at);
  }
  return at + 1;
}

/** `holder[name]` is what JSON.parse made of the last duplicate, or what an earlier duplicate has put there. */
function restoreNumber(
  walk: Walk,
  source: string,
  plain: boolean,
  holder: Holder,
  name: string | number,
  field: ExactFields | undefined,
): void {
  const held = holder[name];
  if (typeof held !== 'number' && typeof held !== 'bigint') return;
  const exact = field?.uint64 ? exactUint64(source, plain) : (exactInteger(source, plain) ?? held);
  const double = typeof exact === 'bigint' ? Number(exact) : Number(source);
  if (Number(held) !== double) return;
  const { problems } = walk;
  if (problems.length > 0) {
    const earlier = problems.findIndex((problem) => problem.holder === holder && problem.name === name);
    if (earlier !== -1) problems.splice(earlier, 1);
  }
  if (typeof exact === 'string') problems.push({ holder, name, problem: exact });
  else holder[name] = exact;
}

/** Plain digits are exact in a double while they are few; every other spelling is looked at (-0 is written as 0). */
function mayBeInexact(at: number, digitsEnd: number, end: number): boolean {
  return digitsEnd !== end || end - at >= FIRST_INEXACT_LENGTH;
}

function keyBetween(walk: Walk, start: number, end: number): string {
  const key = sourceBetween(walk, start, end);
  return key.includes('\\') ? (JSON.parse(`"${key}"`) as string) : key;
}

function sourceBetween(walk: Walk, start: number, end: number): string {
  return walk.ascii === undefined ? walk.bytes.toString('utf8', start, end) : walk.ascii.slice(start, end);
}

/** The index of the quote that ends the string whose first byte is at `at`. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start; ; at++) {
    const byte = byteAt(bytes, at);
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
}

function endOfDigits(bytes: Buffer, start: number): number {
  let at = start;
  while (byteAt(bytes, at) >= 48 && byteAt(bytes, at) <= NINE) at++;
  return at;
}

/** Digits, signs, point and exponent: everything but what may follow a number. */
function endOfNumber(bytes: Buffer, start: number): number {
  for (let at = start; ; at++) {
    const byte = byteAt(bytes, at);
    if ((byte < 48 || byte > NINE) && byte !== 46 && byte !== MINUS && byte !== 43 && byte !== 101 && byte !== 69) {
      return at;
    }
  }
}

/** After `true`, `false` or `null`: all are lower-case letters. */
function skipLiteral(bytes: Buffer, start: number): number {
  let at = start;
  while (byteAt(bytes, at) >= 97 && byteAt(bytes, at) <= 122) at++;
  return at;
}

function skipSpace(bytes: Buffer, start: number): number {
  let at = start;
  while (byteAt(bytes, at) <= 32) at++;
  return at;
}

/** Inside the text always: it is known to be JSON, so every string and container ends. */
function byteAt(bytes: Buffer, at: number): number {
  return bytes[at] as number;
}
