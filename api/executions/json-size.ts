import { Buffer } from 'node:buffer';
import type { JsonValue } from './json-value.ts';

/** Size of a value as JSON. A value that is referenced many times counts each time, as in the JSON text. */
export interface JsonSize {
  /** UTF-8 bytes of the compact text. */
  readonly bytes: number;
  /** Number of values: the value itself and all values in it. */
  readonly nodes: number;
  /** Nesting depth of objects and lists; 0 for a scalar. */
  readonly depth: number;
}

export interface SizeLimits {
  readonly maxBytes: number;
  readonly maxNodes: number;
  readonly maxDepth: number;
}

/** The first limit that a value exceeds. */
export interface SizeExcess {
  readonly exceeds: 'bytes' | 'nodes' | 'depth';
}

/** Sizes from this value on are cached. Counting a smaller value again is faster than a lookup. */
const REMEMBERED_BYTES = 2_048;
/** The engine serializes longer strings natively, which is many times faster than iterating over the characters. */
const NATIVE_CHARACTERS = 256;
/** Cached by identity: JSON values are never changed after they are measured. */
const known = new WeakMap<object, JsonSize>();

/**
 * Measures a value without serializing it. Stops at the first exceeded limit, so the limits bound the cost: a few
 * objects that share members can be gigabytes of JSON.
 */
export function measureJson(value: JsonValue, limits: SizeLimits): JsonSize | SizeExcess {
  const counter: Counter = { bytes: 0, nodes: 0, limits, exceeds: undefined };
  const depth = count(value, 0, counter);
  if (counter.exceeds !== undefined) return { exceeds: counter.exceeds };
  return { bytes: counter.bytes, nodes: counter.nodes, depth };
}

/** Like `measureJson`, for an object or list that will be measured again soon. Caches small sizes too. */
export function measureOnce(value: JsonValue, limits: SizeLimits): JsonSize | SizeExcess {
  const size = measureJson(value, limits);
  if (!('exceeds' in size) && typeof value === 'object' && value !== null) known.set(value, size);
  return size;
}

/** Depth up to which `boundJson` estimates. Deeper values are measured exactly. */
const BOUNDED_DEPTH = 100;

/**
 * Returns an upper bound of the JSON size in bytes. Returns undefined if the bound exceeds `max` or the value is deeply
 * nested. Much faster than `measureJson`, because it does not read strings.
 */
export function boundJson(value: JsonValue, max: number): number | undefined {
  const left = leftOf(value, max, BOUNDED_DEPTH);
  return left < 0 ? undefined : max - left;
}

/** Returns the bytes that remain after a value; negative if it may not fit. */
function leftOf(value: JsonValue | undefined, bytes: number, levels: number): number {
  if (typeof value === 'string') return bytes - textBound(value);
  if (typeof value !== 'object' || value === null) return bytes - MAX_NUMBER_CHARACTERS;
  if (levels === 0) return -1;
  let left = bytes - 2;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      if (left < 0) return left;
      left = leftOf(item, left - 1, levels - 1);
    }
    return left;
  }
  for (const name in value) {
    if (left < 0) return left;
    left = leftOf((value as { readonly [name: string]: JsonValue })[name], left - textBound(name) - 2, levels - 1);
  }
  return left;
}

/** Maximum JSON length of a number, which also covers `true`, `false` and `null`. */
const MAX_NUMBER_CHARACTERS = 25;

/** A character takes at most six bytes: `\u001f`. */
const textBound = ({ length }: string): number => 6 * length + 2;

/** Returns the reason for an error message, such as `larger than 8388608 bytes of JSON`. */
export function describeExcess({ exceeds }: SizeExcess, limits: SizeLimits): string {
  if (exceeds === 'bytes') return `larger than ${limits.maxBytes} bytes of JSON`;
  return exceeds === 'nodes'
    ? `made of more than ${limits.maxNodes} values`
    : `nested more than ${limits.maxDepth} levels deep`;
}

interface Counter {
  bytes: number;
  nodes: number;
  readonly limits: SizeLimits;
  exceeds: SizeExcess['exceeds'] | undefined;
}

/** Counts a value at this nesting level. Returns its own depth. */
function count(value: JsonValue, level: number, counter: Counter): number {
  if (++counter.nodes > counter.limits.maxNodes) counter.exceeds ??= 'nodes';
  if (typeof value === 'string') addText(value, counter);
  else if (typeof value === 'number') add(counter, Number.isInteger(value) ? digits(value) : String(value).length);
  else if (typeof value !== 'object' || value === null) add(counter, value === false ? 5 : 4);
  else return countComposite(value, level, counter);
  return 0;
}

function countComposite(value: object, level: number, counter: Counter): number {
  const before = known.get(value);
  if (before !== undefined) {
    counter.nodes += before.nodes - 1;
    if (counter.nodes > counter.limits.maxNodes) counter.exceeds ??= 'nodes';
    add(counter, before.bytes);
    if (level + before.depth > counter.limits.maxDepth) counter.exceeds ??= 'depth';
    return before.depth;
  }
  if (level >= counter.limits.maxDepth) {
    counter.exceeds ??= 'depth';
    return 1;
  }
  const { bytes, nodes } = counter;
  let deepest = 0;
  if (Array.isArray(value)) {
    add(counter, Math.max(2, value.length + 1));
    for (const item of value as readonly JsonValue[]) {
      if (counter.exceeds !== undefined) return 1;
      deepest = Math.max(deepest, count(item, level + 1, counter));
    }
  } else {
    add(counter, 1);
    let members = 0;
    for (const name in value) {
      if (counter.exceeds !== undefined) return 1;
      if (!Object.hasOwn(value, name)) continue;
      const inner = (value as { readonly [name: string]: JsonValue | undefined })[name];
      // `JSON.stringify` omits it too.
      if (inner === undefined) continue;
      members++;
      addText(name, counter);
      add(counter, 2);
      deepest = Math.max(deepest, count(inner, level + 1, counter));
    }
    if (members === 0) add(counter, 1);
  }
  if (counter.exceeds === undefined && counter.bytes - bytes >= REMEMBERED_BYTES)
    known.set(value, { bytes: counter.bytes - bytes, nodes: counter.nodes - nodes + 1, depth: deepest + 1 });
  return deepest + 1;
}

function add(counter: Counter, bytes: number): void {
  counter.bytes += bytes;
  if (counter.bytes > counter.limits.maxBytes) counter.exceeds ??= 'bytes';
}

/** A string that is too long by its length alone is not read, because reading a concatenated string first copies it. */
function addText(text: string, counter: Counter): void {
  const { length } = text;
  add(counter, length + 2);
  if (counter.exceeds !== undefined) return;
  if (length > NATIVE_CHARACTERS) {
    add(counter, Buffer.byteLength(JSON.stringify(text)) - length - 2);
    return;
  }
  let more = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) {
      const isPair = isHigh(code) && isLow(text.charCodeAt(at + 1));
      if (isPair) at++;
      more += isPair ? 2 : bytesBeyondOne(code);
    } else if (code === 0x22 || code === 0x5c) more += 1;
    // `
    // ` and similar escapes take two characters, all others six.
    else if (code < 0x20) more += code >= 0x08 && code <= 0x0d && code !== 0x0b ? 1 : 5;
  }
  add(counter, more);
}

const isHigh = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
const isLow = (code: number): boolean => code >= 0xdc00 && code < 0xe000;

/** A lone surrogate is written as `\udxxx`. */
function bytesBeyondOne(code: number): number {
  if (isHigh(code) || isLow(code)) return 5;
  return code < 0x800 ? 1 : 2;
}

function digits(value: number): number {
  if (value >= 0 && value < 10) return 1;
  return value >= 0 && value < 100 ? 2 : String(value).length;
}
