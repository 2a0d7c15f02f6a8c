import type { ChainBlock } from './chain-table.ts';
import { type BlockWriter, createBlockWriter } from './native/block-writer.ts';
import type { Lane } from './port.ts';
import type { ChainedTable } from './table.ts';

export interface BlockBuilder<Row> extends ChainBlock {
  add(offset: number, row: Row): void;
}

/** Blocks of one table that have landed leave their memory to later ones; so many at most. */
const IDLE_WRITERS = 16;

/** The way to open blocks of a table: `receivedMs` (epoch) is that of all its rows. */
export function createBlockBuilders<Row>(
  table: ChainedTable<Row>,
): (lane: Lane, receivedMs: number) => BlockBuilder<Row> {
  const idle: BlockWriter<Row>[] = [];
  const giveBack = (writer: BlockWriter<Row>): void => {
    writer.clear();
    if (idle.length < IDLE_WRITERS) idle.push(writer);
  };
  return (lane, receivedMs) =>
    createBlockBuilder(lane, table, receivedMs, idle.pop() ?? createBlockWriter(table.columns), giveBack);
}

/** Collects rows of one lane, received together, in the wire form of their insert. Offsets must rise; throws RangeError when a column exceeds 512 MiB. */
function createBlockBuilder<Row>(
  lane: Lane,
  table: ChainedTable<Row>,
  receivedMs: number,
  writer: BlockWriter<Row>,
  giveBack: (writer: BlockWriter<Row>) => void,
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
    body(landingDay) {
      const days = createBlockWriter([table.partition]);
      for (let row = 0; row < writer.rows; row++) days.add(landingDay);
      return writer.pieces(days);
    },
    release() {
      if (released) return;
      released = true;
      giveBack(writer);
    },
  };
}

/** The block behind a `RowBlock` that one of our builders made. */
export function chainBlock(block: object): ChainBlock {
  if ('lane' in block && 'body' in block) return block as ChainBlock;
  throw new TypeError('only blocks opened by this store can be landed in it');
}
