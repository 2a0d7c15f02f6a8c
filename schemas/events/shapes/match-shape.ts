import { asciiText } from '../../json/ascii-text.ts';
import { exactUint64 } from '../../json/exact-integer.ts';
import type { RecentTexts } from '../../json/recent-texts.ts';
import type { Instant } from '../accepted.ts';
import type { U64 } from '../event.ts';
import { parseTimestamp } from '../timestamp.ts';
import { fourDigits, isDigit } from './digits.ts';
import type { Slot } from './place.ts';
import type { Shape } from './shape.ts';
import { type ShapeTree, wordAt } from './shape-tree.ts';
import { createUtcTimes, type UtcTimes } from './utc-time.ts';

/** State of a comparison, reused for all texts. Between texts it keeps only the caches `texts` and `times`. */
export interface Matching {
  /**
   * A view of the memory that holds the text. It is reused for all texts in the same memory, because creating a view
   * costs more than reading a name.
   */
  view: DataView;
  memory: Buffer;
  at: number;
  /** Index after the last byte of the text in the memory. */
  end: number;
  /** Values of the slots, in order. */
  readonly values: unknown[];
  /** Value of the slot that holds the timestamp. */
  time: Instant | undefined;
  readonly texts: RecentTexts;
  readonly times: UtcTimes;
}

const QUOTE = 34;
/** A double represents every integer of up to this many digits exactly. */
const EXACT_DIGITS = 15;
const MAX_DIGITS = 20;
const ZERO = 48;

const HASH_BASIS = 0x811c9dc5 | 0;
const HASH_PRIME = 0x01000193;

export function createMatching(texts: RecentTexts): Matching {
  const memory = Buffer.alloc(0);
  const view = new DataView(memory.buffer);
  return { view, memory, at: 0, end: 0, values: [], time: undefined, texts, times: createUtcTimes() };
}

/**
 * Returns the shape in the tree that matches the bytes `from` to `to`. Returns undefined if none matches; the bytes may
 * still be a valid event.
 */
export function matchShape(
  tree: ShapeTree,
  matching: Matching,
  bytes: Buffer,
  from = 0,
  to = bytes.length,
): Shape | undefined {
  const { buffer, byteOffset } = bytes;
  if (matching.view.buffer !== buffer) {
    matching.view = new DataView(buffer);
    matching.memory = Buffer.from(buffer);
  }
  const end = byteOffset + to;
  matching.end = end;
  matching.time = undefined;
  const { view } = matching;
  let node = tree;
  let at = byteOffset + from;
  for (let index = 0; ; ) {
    const { words, rest, size, slot } = node;
    if (at + size > end) return undefined;
    for (let i = 0; i < words.length; i++) {
      if (view.getFloat64(at + wordAt(i, size), true) !== words[i]) return undefined;
    }
    for (let i = 0; i < rest.length; i++) if (view.getUint8(at + i) !== rest[i]) return undefined;
    at += size;
    if (at === end) return node.end;

    const next = view.getUint8(at);
    let following: ShapeTree | undefined;
    if (slot !== undefined && (node.isQuoted || isDigit(next))) {
      matching.at = at;
      const value = read(slot, matching);
      if (value === undefined) return undefined;
      matching.values[index++] = value;
      at = matching.at;
      following = node.afterSlot;
    } else following = node.branches.get(next);
    if (following === undefined) return undefined;
    node = following;
  }
}

/** Parses the value of a slot at the current position. Returns undefined if the slot does not accept it. */
function read(slot: Slot, matching: Matching): string | U64 | undefined {
  if (slot === 'uint64' || slot === 'integer') return readInteger(matching, slot === 'uint64');
  const { at: from } = matching;
  const text = readText(matching, slot === 'name');
  if (slot !== 'time' || text === undefined) return text;
  const { times, view, memory, at: to } = matching;
  matching.time = times.read(view, memory, from, to) ?? parseTimestamp(text);
  return matching.time && text;
}

const ONES = 0x01010101;
const HIGHS = 0x80808080 | 0;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const SPACES = 0x20202020;

/** Returns true if one of four bytes is a quote, a backslash, a control character or not ASCII. */
function isNotPlain(word: number): boolean {
  const quotes = word ^ QUOTES;
  const backslashes = word ^ BACKSLASHES;
  // Subtraction sets the highest bit of each byte that is 0, or below a space ("Bit Twiddling Hacks", haszero and
  // hasless).
  const found = ((quotes - ONES) & ~quotes) | ((backslashes - ONES) & ~backslashes) | ((word - SPACES) & ~word) | word;
  return (found & HIGHS) !== 0;
}

function readText(matching: Matching, isName: boolean): string | undefined {
  const { view, at: from, end } = matching;
  let at = from;
  let hash = HASH_BASIS;
  for (; at + 4 <= end; at += 4) {
    const word = view.getInt32(at, true);
    if (isNotPlain(word)) break;
    hash = Math.imul(hash ^ word, HASH_PRIME);
  }
  for (; at < end; at++) {
    const byte = view.getUint8(at);
    if (byte === QUOTE) {
      matching.at = at;
      return isName ? matching.texts.get(matching.memory, from, at, hash) : asciiText(matching.memory, from, at);
    }
    if (isNotPlain(byte | (SPACES & ~0xff))) return undefined;
    hash = Math.imul(hash ^ byte, HASH_PRIME);
  }
  return undefined;
}

function readInteger(matching: Matching, isLong: boolean): U64 | undefined {
  const { view, at: from, end } = matching;
  let at = from;
  let value = 0;
  for (; at + 4 <= end; at += 4) {
    const four = fourDigits(view.getInt32(at, true));
    if (four === -1) break;
    value = value * 10_000 + four;
  }
  for (; at < end; at++) {
    const byte = view.getUint8(at);
    if (!isDigit(byte)) break;
    value = value * 10 + byte - ZERO;
  }
  matching.at = at;
  const digits = at - from;
  if (digits > 1 && view.getUint8(from) === ZERO) return undefined;
  if (digits <= EXACT_DIGITS) return value;
  if (!isLong || digits > MAX_DIGITS) return undefined;
  const exact = exactUint64(asciiText(matching.memory, from, at), true);
  return typeof exact === 'string' ? undefined : exact;
}
