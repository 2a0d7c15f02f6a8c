import { MAX_NAME_BYTES, MAX_NAMES, NAME_BYTES } from './layout';

/*
 * Names have numbers from 1, so that the host and the columns handle numbers instead of texts. A hash table with open
 * addressing finds the number of a name. The host clears it when it is full.
 */

/** A power of two, twice the number of names. */
const TABLE_SLOTS: i32 = 16384;
/** Entry of the table: hash, length, address and number, u32 each. */
const ENTRY_BYTES: i32 = 16;
const table: usize = heap.alloc(TABLE_SLOTS * ENTRY_BYTES);

/** Address and length of each name, u32 each. */
export const nameTexts: usize = heap.alloc(MAX_NAMES * 8);
const bytes: usize = heap.alloc(NAME_BYTES + 32);

let count: u32 = 1;
let end: usize = bytes;
/** True if a name was not added because the table is full. */
let full: bool = false;

export function nameCount(): u32 {
  return count;
}

export function isFull(): bool {
  return full;
}

export function clearNames(): void {
  memory.fill(table, 0, TABLE_SLOTS * ENTRY_BYTES);
  count = 1;
  end = bytes;
  full = false;
}

/** Returns the number of the name, which is added if it is not known. Returns 0 if it cannot be added. */
export function nameNumber(from: usize, size: usize): u32 {
  if (size > (MAX_NAME_BYTES as usize)) return 0;
  const hash = hashOf(from, size);
  let slot = hash & (TABLE_SLOTS - 1);
  while (true) {
    const entry = table + (slot as usize) * ENTRY_BYTES;
    const known = load<u32>(entry, 12);
    if (known === 0) return addName(entry, hash, from, size);
    if (load<u32>(entry) === hash && load<u32>(entry, 4) === (size as u32)) {
      if (isSame(from, load<u32>(entry, 8) as usize, size)) return known;
    }
    slot = (slot + 1) & (TABLE_SLOTS - 1);
  }
}

function addName(entry: usize, hash: u32, from: usize, size: usize): u32 {
  if (count >= (MAX_NAMES as u32) || end + size > bytes + (NAME_BYTES as usize)) {
    full = true;
    return 0;
  }
  const text = end;
  memory.copy(text, from, size);
  end += size;
  store<u32>(entry, hash);
  store<u32>(entry, size as u32, 4);
  store<u32>(entry, text as u32, 8);
  store<u32>(entry, count, 12);
  const listed = nameTexts + ((count as usize) << 3);
  store<u32>(listed, text as u32);
  store<u32>(listed, size as u32, 4);
  count += 1;
  return count - 1;
}

/** Returns a mask of the first `size` bytes of a word. */
function firstBytes(size: usize): u64 {
  return size >= 8 ? u64.MAX_VALUE : ((1 as u64) << ((size as u64) << 3)) - 1;
}

function hashOf(from: usize, size: usize): u32 {
  let hash: u64 = 0x9e3779b97f4a7c15 ^ (size as u64);
  for (let i: usize = 0; i < size; i += 8) {
    hash = (hash ^ (load<u64>(from + i) & firstBytes(size - i))) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  }
  return hash as u32;
}

function isSame(one: usize, other: usize, size: usize): bool {
  let differences: u64 = 0;
  for (let i: usize = 0; i < size; i += 8) {
    differences |= (load<u64>(one + i) ^ load<u64>(other + i)) & firstBytes(size - i);
  }
  return differences === 0;
}
