/*
 * Layout of the module's memory. `../open-module.ts` reads the constants and the addresses that `decode.ts` exports, so
 * that they are stated only here.
 */

/** Maximum number of records in a window. */
export const MAX_ROWS: i32 = 256;
/** Maximum size of the records of a window, with their length prefixes. */
export const WINDOW_BYTES: i32 = 256 * 1024;
/** Maximum number of slots of a shape, as in `schemas/events/shapes/describe-shape.ts`. */
export const MAX_SLOTS: i32 = 100;
export const NUMBER_COLUMNS: i32 = 16;
export const TEXT_COLUMNS: i32 = 24;
/** Maximum number of known names, and of their bytes. */
export const MAX_NAMES: i32 = 8192;
export const NAME_BYTES: i32 = 512 * 1024;
/** Longer names are not known. */
export const MAX_NAME_BYTES: i32 = 255;
/** Size of the memory for shapes. */
export const SHAPE_BYTES: i32 = 2 * 1024 * 1024;

/** Vector instructions read up to this many bytes after the end of a text. */
const OVERREAD: i32 = 32;

/** The records of the window. */
export const input: usize = heap.alloc(WINDOW_BYTES + OVERREAD);
/** End of each record in `input`, and its size without the length prefix: u32. */
export const ends: usize = heap.alloc(MAX_ROWS * 4);
export const sizes: usize = heap.alloc(MAX_ROWS * 4);

/** Values of the slots of each record: u64. A text is its address, and its length in the upper half. */
export const slots: usize = heap.alloc(MAX_ROWS * MAX_SLOTS * 8);
/** Number of the shape of each record: i32. */
export const shapes: usize = heap.alloc(MAX_ROWS * 4);
/** Time of each record: seconds as f64, nanoseconds of the second as u32, and nanoseconds since the epoch as i64. */
export const seconds: usize = heap.alloc(MAX_ROWS * 8);
export const nanos: usize = heap.alloc(MAX_ROWS * 4);
export const times: usize = heap.alloc(MAX_ROWS * 8);

/** Number columns: for each row 1 for null as u8, and the value as u64. */
export const nulls: usize = heap.alloc(NUMBER_COLUMNS * MAX_ROWS);
export const numbers: usize = heap.alloc(NUMBER_COLUMNS * MAX_ROWS * 8);
/** Text columns: for each row the number of a name as u32, 0 for null. */
export const texts: usize = heap.alloc(TEXT_COLUMNS * MAX_ROWS * 4);

/** Nodes, literals and plans of shapes. The host writes them, see `../load-shapes.ts`. */
export const shapeMemory: usize = heap.alloc(SHAPE_BYTES + OVERREAD);
