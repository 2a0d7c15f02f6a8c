import {
  ends,
  input,
  MAX_ROWS,
  MAX_SLOTS,
  NUMBER_COLUMNS,
  nanos,
  nulls,
  numbers,
  seconds,
  shapes,
  sizes,
  slots,
  TEXT_COLUMNS,
  texts,
  times,
} from './layout';
import { matchShape } from './match';
import { clearNames, isFull, nameCount, nameNumber, nameTexts } from './names';
import { value as number, readDecimal, readRegister } from './numbers';
import { nanos as nanosOfTime, seconds as secondsOfTime } from './times';

export {
  MAX_NAME_BYTES,
  MAX_NAMES,
  NUMBER_COLUMNS,
  SHAPE_BYTES,
  shapeMemory,
  TEXT_COLUMNS,
  WINDOW_BYTES,
} from './layout';
export { SLOT_INTEGER, SLOT_NAME, SLOT_NONE, SLOT_TEXT, SLOT_TIME, SLOT_UINT64 } from './match';
export {
  clearNames,
  ends,
  input,
  isFull,
  MAX_ROWS,
  MAX_SLOTS,
  nameCount,
  nameNumber,
  nameTexts,
  nanos,
  nulls,
  numbers,
  seconds,
  shapes,
  sizes,
  slots,
  texts,
  times,
};

/**
 * What a step of a plan writes. A plan is a list of steps of four u32: kind, source, column, and an unused one. The
 * source is the index of a slot, or for `STEP_CONSTANT` the number of a name.
 */
export const STEP_CONSTANT: u32 = 0;
export const STEP_NAME: u32 = 1;
/** The name in the bytes of a text. */
export const STEP_TEXT: u32 = 2;
export const STEP_NUMBER: u32 = 3;
/** A number of up to 32 bits; null for a larger one. */
export const STEP_NUMBER32: u32 = 4;
/** The number in the digits of a text. */
export const STEP_DECIMAL: u32 = 5;
export const STEP_REGISTER: u32 = 6;

const STEP_BYTES: usize = 16;

/** Root of the tree, and for each shape the address and the number of steps of its plan, u32 each. */
let tree: usize = 0;
let plans: usize = 0;

export function useShapes(root: usize, planList: usize): void {
  tree = root;
  plans = planList;
}

/** Sets all values of the first `rows` rows to null. */
function clearRows(rows: i32): void {
  for (let column = 0; column < NUMBER_COLUMNS; column += 1) {
    memory.fill(nulls + column * MAX_ROWS, 1, rows);
    memory.fill(numbers + column * MAX_ROWS * 8, 0, rows * 8);
  }
  for (let column = 0; column < TEXT_COLUMNS; column += 1) memory.fill(texts + column * MAX_ROWS * 4, 0, rows * 4);
}

/**
 * Decodes the records from `from` until the first that has no known shape. `to`: number of records in the window. Writes
 * their slots, times and columns. Returns the index of the record after the last decoded one.
 */
export function decode(from: i32, to: i32): i32 {
  if (from === 0) clearRows(to);
  for (let row = from; row < to; row += 1) {
    const end = input + load<u32>(ends + (row << 2));
    const values = slots + row * MAX_SLOTS * 8;
    const shape = matchShape(tree, end - load<u32>(sizes + (row << 2)), end, values);
    if (shape < 0 || !writeRow(row, shape, values)) return row;
    store<i32>(shapes + (row << 2), shape);
    store<f64>(seconds + (row << 3), secondsOfTime as f64);
    store<u32>(nanos + (row << 2), nanosOfTime);
    store<i64>(times + (row << 3), secondsOfTime * 1000000000 + (nanosOfTime as i64));
  }
  return to;
}

/** Returns false if a value cannot be read. */
function writeRow(row: i32, shape: i32, values: usize): bool {
  const plan = plans + (shape << 3);
  const first = load<u32>(plan) as usize;
  const last = first + (load<u32>(plan, 4) as usize) * STEP_BYTES;
  for (let step = first; step < last; step += STEP_BYTES) {
    const kind = load<u32>(step);
    const source = load<u32>(step, 4);
    const cell = (load<u32>(step, 8) as i32) * MAX_ROWS + row;
    if (kind <= STEP_TEXT) {
      const name = kind === STEP_CONSTANT ? source : nameOf(kind, load<u64>(values + (source << 3)));
      if (name === 0) return false;
      store<u32>(texts + (cell << 2), name);
      continue;
    }
    const slot = load<u64>(values + (source << 3));
    if (kind <= STEP_NUMBER32) {
      if (kind === STEP_NUMBER32 && slot > 0xffffffff) continue;
      store<u64>(numbers + (cell << 3), slot);
    } else {
      const text = slot as u32 as usize;
      const size = (slot >> 32) as usize;
      if (!(kind === STEP_DECIMAL ? readDecimal(text, size) : readRegister(text, size))) return false;
      store<u64>(numbers + (cell << 3), number);
    }
    store<u8>(nulls + cell, 0);
  }
  return true;
}

function nameOf(kind: u32, slot: u64): u32 {
  return kind === STEP_NAME ? (slot as u32) : nameNumber(slot as u32 as usize, (slot >> 32) as usize);
}
