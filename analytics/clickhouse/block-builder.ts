import type { ChainBlock } from './lane-chain.ts';
import type { Lane } from './port.ts';
import { RowBinaryWriter } from './row-binary.ts';
import { type Table, writeRow } from './table.ts';
import { LANDING_DAY_AT } from './tables/landing-day.ts';

export interface BlockBuilder<Row> extends ChainBlock {
  add(offset: number, row: Row): void;
}

/** Collects rows of one lane in the wire form of their insert. Offsets must rise; throws RangeError beyond 512 MiB. */
export function createBlockBuilder<Row>(lane: Lane, table: Table<Row>): BlockBuilder<Row> {
  const writer = new RowBinaryWriter();
  const { columns } = table;
  let starts = new Uint32Array(1024);
  let rows = 0;
  let firstOffset = -1;
  let lastOffset = -1;

  return {
    lane,
    get rows() {
      return rows;
    },
    get bytes() {
      return writer.length;
    },
    get firstOffset() {
      return firstOffset;
    },
    get lastOffset() {
      return lastOffset;
    },
    add(offset, row) {
      if (offset <= lastOffset) throw new RangeError(`offset ${offset} does not follow ${lastOffset}`);
      if (rows === starts.length) {
        const longer = new Uint32Array(rows * 2);
        longer.set(starts);
        starts = longer;
      }
      starts[rows++] = writer.length;
      writeRow(writer, columns, row);
      if (firstOffset === -1) firstOffset = offset;
      lastOffset = offset;
    },
    stamp(landingDay) {
      for (let i = 0; i < rows; i++) writer.patchUint16((starts[i] as number) + LANDING_DAY_AT, landingDay);
    },
    body: () => writer.bytes(),
  };
}

/** The block behind a `RowBlock` that one of our builders made. */
export function chainBlock(block: object): ChainBlock {
  if ('stamp' in block && 'body' in block) return block as ChainBlock;
  throw new TypeError('only blocks opened by this store can be landed in it');
}
