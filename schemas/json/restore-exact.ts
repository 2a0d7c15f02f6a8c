import type { ExactFields } from './exact-fields.ts';
import { exactInteger, exactUint64, type IntegerProblem } from './exact-integer.ts';

/**
 * A 64-bit field whose value in the source is not an unsigned 64-bit integer. `holder` is the parsed object that
 * contains it.
 */
export interface InexactField {
  readonly holder: object;
  readonly name: string | number;
  readonly problem: IntegerProblem;
}

type Holder = Record<string | number, unknown>;

/** State of one pass. */
interface Walk {
  /** The text in UTF-8. Reading bytes of a Buffer costs a fifth of `charCodeAt`. */
  readonly bytes: Buffer;
  /** The text, if it is ASCII: its positions then equal those in `bytes`. */
  readonly ascii: string | undefined;
  readonly problems: InexactField[];
}

/** A double represents every integer with fewer digits than this exactly. */
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

/** Buffer that passes over short texts reuse. Safe, because a pass is synchronous and keeps no reference. */
const SCRATCH = Buffer.allocUnsafeSlow(64 * 1024);
const MAX_BYTES_A_UNIT = 3;

/**
 * Restores the digits that JSON.parse rounded. `parsed` must be the result of JSON.parse for `text`, an object or
 * array, and is changed in place. Fields that the schema declares as 64-bit become exact by their mathematical value.
 * Integers of unknown fields in plain digits become bigints, so that the event is written with its original digits.
 * Returns the first field that has no unsigned 64-bit value.
 *
 * One pass over the text, which is known to be valid JSON, so nothing is validated again. For duplicate keys,
 * JSON.parse keeps the last value. A source value is used only if it rounds to the parsed value, and a later one
 * replaces an earlier one.
 */
export function restoreExact(text: string, parsed: object, fields: ExactFields): InexactField | undefined {
  const fits = text.length * MAX_BYTES_A_UNIT <= SCRATCH.length;
  const bytes = fits ? SCRATCH : Buffer.from(text);
  const length = fits ? SCRATCH.write(text, 'utf8') : bytes.length;
  const walk: Walk = { bytes, ascii: length === text.length ? text : undefined, problems: [] };
  walkContainer(walk, skipSpace(bytes, 0), parsed, fields);
  return walk.problems[0];
}

/** Walks the object or array that starts at `at`. Returns the index after it. */
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
        // The name from the schema is a string that V8 has already internalised; a new slice is not.
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

/** `holder[name]` is the value of the last duplicate from JSON.parse, or the exact value of an earlier duplicate. */
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

/**
 * Returns true if the source may differ from the double. Short runs of plain digits are exact. Any other form is
 * checked, because -0 must be written as 0.
 */
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

/** Returns the index of the closing quote of the string whose first byte is at `start`. */
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

/** Returns the index after the digits, signs, point and exponent of a number. */
function endOfNumber(bytes: Buffer, start: number): number {
  for (let at = start; ; at++) {
    const byte = byteAt(bytes, at);
    if ((byte < 48 || byte > NINE) && byte !== 46 && byte !== MINUS && byte !== 43 && byte !== 101 && byte !== 69) {
      return at;
    }
  }
}

/** Returns the index after `true`, `false` or `null`, which are all lower-case letters. */
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

/** The index is always inside the text: in valid JSON, every string and container is closed. */
function byteAt(bytes: Buffer, at: number): number {
  return bytes[at] as number;
}
