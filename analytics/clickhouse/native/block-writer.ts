import type { Column } from '../table.ts';
import { GrowingBytes } from './growing-bytes.ts';

/** Collects rows by columns and hands them over as one block of ClickHouse's Native format. */
export interface BlockWriter<Row> extends ColumnPieces {
  add(row: Row): void;
  readonly rows: number;
  readonly bytes: number;
  /**
   * The encoded block, in pieces that follow one another, made as they are asked for; `others` bring further columns of as
   * many rows. Repeatable.
   */
  pieces(...others: readonly ColumnPieces[]): Iterable<Buffer>;
}

export interface ColumnPieces {
  readonly width: number;
  /** Name, type and data of each column. */
  columnPieces(): Iterable<Buffer>;
}

/**
 * Native: counts of columns and rows, then each column whole. The server takes columns over nearly as they are; for rows
 * (RowBinary, JSON) it needs two to five times the processor time. https://clickhouse.com/docs/interfaces/formats/Native
 */
export function createBlockWriter<Row>(columns: readonly Column<Row>[]): BlockWriter<Row> {
  const opened = columns.map((column) => column.open());
  const heads = columns.map((column) => headOf(column.name, column.type));
  const adders = opened.map((column) => column.add);
  let rows = 0;

  function* columnPieces(): Generator<Buffer> {
    for (const [i, column] of opened.entries()) {
      yield heads[i] as Buffer;
      yield* column.data();
    }
  }

  return {
    add(row) {
      for (let i = 0; i < adders.length; i++) (adders[i] as (row: Row) => void)(row);
      rows++;
    },
    get rows() {
      return rows;
    },
    get bytes() {
      let sum = 0;
      for (const column of opened) sum += column.bytes;
      return sum;
    },
    width: columns.length,
    columnPieces,
    *pieces(...others) {
      const counts = new GrowingBytes(16);
      counts.varint(others.reduce((sum, writer) => sum + writer.width, columns.length));
      counts.varint(rows);
      yield counts.bytes();
      for (const other of others) yield* other.columnPieces();
      yield* columnPieces();
    },
  };
}

function headOf(name: string, type: string): Buffer {
  const head = new GrowingBytes(256);
  head.text(name);
  head.text(type);
  return head.bytes();
}
