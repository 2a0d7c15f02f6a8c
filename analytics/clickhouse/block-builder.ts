import type { ChainBlock } from './chain-table.ts';
import { type BlockWriter, createBlockWriter } from './native/block-writer.ts';
import type { Lane } from './port.ts';
import type { ChainedTable, ColumnValues } from './table.ts';

export interface BlockBuilder<Row> extends ChainBlock {
  add(offset: number, row: Row): void;
  /** Adds a row for each offset. `valuesOf` returns the values of a column. */
  addColumns(offsets: readonly number[], valuesOf: (column: string) => ColumnValues): void;
}

/**
 * Maximum number of idle block writers per table. A stored block releases its writer, whose memory later blocks reuse.
 */
const IDLE_WRITERS = 16;

/** Returns a function that opens blocks of a table. All rows of a block get the same `receivedMs` (epoch). */
export function createBlockBuilders<Row>(
  table: ChainedTable<Row>,
): (lane: Lane, receivedMs: number) => BlockBuilder<Row> {
  const idle: BlockWriter<Row>[] = [];
  const releaseWriter = (writer: BlockWriter<Row>): void => {
    writer.clear();
    if (idle.length < IDLE_WRITERS) idle.push(writer);
  };
  return (lane, receivedMs) =>
    createBlockBuilder(lane, table, receivedMs, idle.pop() ?? createBlockWriter(table.columns), releaseWriter);
}

/**
 * Collects rows of one lane, received together, in the wire format of their insert. Offsets must increase. Throws
 * RangeError if a column exceeds 512 MiB.
 */
function createBlockBuilder<Row>(
  lane: Lane,
  table: ChainedTable<Row>,
  receivedMs: number,
  writer: BlockWriter<Row>,
  releaseWriter: (writer: BlockWriter<Row>) => void,
): BlockBuilder<Row> {
  let released = false;
  let firstOffset = -1;
  let lastOffset = -1;

  return {
    lane,
    receivedMs,
    get rows() {
      return writer.rows;
    },
    get bytes() {
      return writer.bytes;
    },
    get firstOffset() {
      return firstOffset;
    },
    get lastOffset() {
      return lastOffset;
    },
    add(offset, row) {
      if (offset <= lastOffset) throw new RangeError(`offset ${offset} does not follow ${lastOffset}`);
      writer.add(row);
      if (firstOffset === -1) firstOffset = offset;
      lastOffset = offset;
    },
    addColumns(offsets, valuesOf) {
      let last = lastOffset;
      for (const offset of offsets) {
        if (offset <= last) throw new RangeError(`offset ${offset} does not follow ${last}`);
        last = offset;
      }
      writer.addColumns(offsets.length, valuesOf);
      if (firstOffset === -1) firstOffset = offsets[0] ?? -1;
      lastOffset = last;
    },
    body(landingDay) {
      const days = createBlockWriter([table.partition]);
      for (let row = 0; row < writer.rows; row++) days.add(landingDay);
      return writer.pieces(days);
    },
    release() {
      if (released) return;
      released = true;
      releaseWriter(writer);
    },
  };
}

/** Returns the chain block behind a `RowBlock`. Throws if this store did not open it. */
export function chainBlock(block: object): ChainBlock {
  if ('lane' in block && 'body' in block) return block as ChainBlock;
  throw new TypeError('only blocks opened by this store can be landed in it');
}
