import { nameNumber } from './names';
import { value as integer, end as integerEnd, isDigit, readInteger } from './numbers';
import { readTime } from './times';

/*
 * Compares a text with the tree of shapes (`schemas/events/shapes/shape-tree.ts`). A node is eight u32: address and
 * length of its literal, kind of its slot, address of the node after the slot, address and number of its branches, and
 * the number of the shape that ends there, or -1. A branch is two u32: its first byte, and the address of its node.
 */

/** Kinds of slots. */
export const SLOT_NONE: u32 = 0;
export const SLOT_NAME: u32 = 1;
export const SLOT_TEXT: u32 = 2;
export const SLOT_TIME: u32 = 3;
export const SLOT_UINT64: u32 = 4;
export const SLOT_INTEGER: u32 = 5;

const QUOTE: u8 = 34;
const BACKSLASH: u8 = 92;
const SPACE: u8 = 32;

/** Returns the number of the shape of the text, or -1. Writes the values of its slots to `values`. */
export function matchShape(root: usize, from: usize, to: usize, values: usize): i32 {
  let node = root;
  let at = from;
  let slot = values;
  while (true) {
    const size = load<u32>(node, 4) as usize;
    if (at + size > to || !isSame(at, load<u32>(node) as usize, size)) return -1;
    at += size;
    if (at === to) return load<i32>(node, 24);
    const kind = load<u32>(node, 8);
    if (kind !== SLOT_NONE && kind <= SLOT_TIME) {
      const textEnd = endOfText(at, to);
      if (textEnd === 0 || !readText(kind, at, textEnd - at, slot)) return -1;
      at = textEnd;
    } else if (kind !== SLOT_NONE && isDigit(load<u8>(at))) {
      if (!readInteger(at, to, kind === SLOT_UINT64)) return -1;
      store<u64>(slot, integer);
      at = integerEnd;
    } else {
      node = branchOf(node, load<u8>(at));
      if (node === 0) return -1;
      continue;
    }
    slot += 8;
    node = load<u32>(node, 12) as usize;
    if (node === 0) return -1;
  }
}

function branchOf(node: usize, first: u8): usize {
  const branches = load<u32>(node, 16) as usize;
  const count = load<u32>(node, 20) as usize;
  for (let branch = branches; branch < branches + count * 8; branch += 8) {
    if (load<u32>(branch) === (first as u32)) return load<u32>(branch, 4) as usize;
  }
  return 0;
}

function readText(kind: u32, from: usize, size: usize, slot: usize): bool {
  if (kind === SLOT_NAME) {
    const name = nameNumber(from, size);
    store<u64>(slot, name as u64);
    return name !== 0;
  }
  store<u64>(slot, ((size as u64) << 32) | (from as u64));
  return kind !== SLOT_TIME || readTime(from, size);
}

/** Compares sixteen bytes at a time. The last comparison overlaps the one before. */
function isSame(one: usize, other: usize, size: usize): bool {
  if (size >= 16) {
    const last = size - 16;
    for (let i: usize = 0; i < last; i += 16) {
      if (v128.any_true(v128.xor(v128.load(one + i), v128.load(other + i)))) return false;
    }
    return !v128.any_true(v128.xor(v128.load(one + last), v128.load(other + last)));
  }
  if (size >= 8) {
    const last = size - 8;
    const first = load<u64>(one) ^ load<u64>(other);
    return (first | (load<u64>(one + last) ^ load<u64>(other + last))) === 0;
  }
  if (size === 0) return true;
  return (load<u64>(one) ^ load<u64>(other)) << ((8 - (size as u64)) << 3) === 0;
}

/** Returns the position of the closing quote. Returns 0 if an escape, a control character or non-ASCII comes before it. */
function endOfText(from: usize, to: usize): usize {
  for (let at = from; at < to; at += 16) {
    const bytes = v128.load(at);
    const marks = v128.or(
      v128.or(i8x16.eq(bytes, i8x16.splat(QUOTE)), i8x16.eq(bytes, i8x16.splat(BACKSLASH))),
      // Bytes that are not ASCII are negative.
      i8x16.lt_s(bytes, i8x16.splat(SPACE)),
    );
    const mask = i8x16.bitmask(marks);
    if (mask !== 0) {
      const found = at + (ctz(mask) as usize);
      return found < to && load<u8>(found) === QUOTE ? found : 0;
    }
  }
  return 0;
}
