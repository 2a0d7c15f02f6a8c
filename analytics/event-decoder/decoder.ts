import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { InternalEvent } from '#schemas/events/event.ts';
import type { KnownShapes } from '#schemas/events/event-reader.ts';
import { makeObject, type Shape } from '#schemas/events/shapes/shape.ts';
import { asciiText } from '#schemas/json/ascii-text.ts';
import type { DecodedRows } from './decoded-rows.ts';
import { createDecodedRows } from './decoded-rows.ts';
import { loadShapes } from './load-shapes.ts';
import { openModule } from './open-module.ts';

/** Records whose values follow each other in one memory, each after its length. */
export interface RecordBytes {
  readonly length: number;
  readonly memory: Buffer;
  /** End of the value of a record. */
  end(index: number): number;
  /** Size of the value in bytes; -1 for a record without one. */
  size(index: number): number;
}

/** Decodes events of known shapes in WebAssembly: several records at once, and with the columns of their rows. */
export interface EventDecoder {
  /**
   * Returns the event of a record. Returns undefined if it has no shape that the module knows; it may still be a valid
   * event. Records must be read in order to be fast.
   */
  read(records: RecordBytes, index: number): AcceptedEvent | undefined;
  /** The columns of the event that `read` returned last. Undefined if few rows follow each other. */
  rows(): DecodedRows | undefined;
  /** Index in `rows` of the event that `read` returned last. */
  row(): number;
}

/** With fewer rows in sequence, adding the columns of all to a block takes longer than encoding each event. */
const MIN_ROWS = 16;
const NONE = -1;
const TWO_32 = 4_294_967_296;
/** Upper half of the first integer that a double does not represent exactly. */
const INEXACT = 2 ** 21;

/**
 * Creates a decoder for the shapes that `shapes` returns, which are loaded again when they change. It copies as many
 * records as fit into the memory of the module (the window), and decodes them until the first without a known shape.
 * Long: its functions share the state of the window.
 */
export function createEventDecoder(shapes: () => KnownShapes): EventDecoder {
  const module = openModule();
  const { memory, MAX_ROWS, MAX_SLOTS, WINDOW_BYTES, endOf, sizeOf, shapeOf, slotHalves, slotValues } = module;
  const names: string[] = [''];
  const rows = createDecodedRows(module, names);
  const values: unknown[] = [];
  let revision = -1;
  let known: readonly Shape[] = [];

  /** Records in the window: `count` of them, from `start`. */
  let records: RecordBytes | undefined;
  let start = 0;
  let count = 0;
  /** Rows from `first` to `decoded` are decoded. The record after them, if any, has no known shape. */
  let first = 0;
  let decoded = 0;
  let unknown = NONE;
  let row = 0;

  /** Loads the shapes if they have changed. A full table of names is cleared first, as the shapes contain names. */
  function prepare(): void {
    const { tree, revision: current } = shapes();
    if (current === revision && !module.isFull()) return;
    module.clearNames();
    names.length = 1;
    rows.renumber();
    known = loadShapes(module, tree);
    revision = current;
  }

  /** Copies the records from `index` into the window. */
  function moveWindow(source: RecordBytes, index: number): void {
    rows.copyOut();
    prepare();
    const from = index === 0 ? 0 : source.end(index - 1);
    const limit = Math.min(source.length, index + MAX_ROWS);
    let to = index;
    for (; to < limit; to++) {
      const size = source.size(to);
      const end = source.end(to) - from;
      if (size < 0 || end > WINDOW_BYTES) break;
      endOf[to - index] = end;
      sizeOf[to - index] = size;
    }
    records = source;
    start = index;
    count = to - index;
    first = 0;
    decoded = 0;
    unknown = NONE;
    if (count > 0) source.memory.copy(memory, module.input, from, source.end(to - 1));
  }

  function decodeFrom(index: number): void {
    first = index;
    decoded = module.decode(index, count);
    unknown = decoded < count ? decoded : NONE;
    for (const to = module.nameCount(); names.length < to; ) {
      const at = 2 * names.length;
      const text = module.nameTextOf[at] as number;
      names.push(asciiText(memory, text, text + (module.nameTextOf[at + 1] as number)));
    }
  }

  function eventOf(index: number): AcceptedEvent {
    const { slots, root } = known[shapeOf[index] as number] as Shape;
    for (let i = 0; i < slots.length; i++) {
      const at = index * MAX_SLOTS + i;
      const low = slotHalves[2 * at] as number;
      const high = slotHalves[2 * at + 1] as number;
      const kind = slots[i];
      if (kind === 'name') values[i] = names[low];
      else if (kind === 'uint64' || kind === 'integer') {
        values[i] = high < INEXACT ? high * TWO_32 + low : slotValues[at];
      } else values[i] = asciiText(memory, low, low + high);
    }
    const event = makeObject(root, values) as InternalEvent;
    return {
      ok: true,
      event,
      time: { seconds: module.secondsOf[index] as number, nanos: module.nanosOf[index] as number },
    };
  }

  return {
    read(source, index) {
      if (source !== records || index < start || index >= start + count) moveWindow(source, index);
      row = index - start;
      if (count === 0 || row === unknown) return undefined;
      if (row < first || row >= decoded) decodeFrom(row);
      return row < decoded ? eventOf(row) : undefined;
    },
    rows: () => (decoded - first >= MIN_ROWS ? rows : undefined),
    row: () => row,
  };
}
