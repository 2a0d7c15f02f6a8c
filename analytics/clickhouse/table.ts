import type { WireType } from './native/wire-type.ts';

/** One column of an inserted block: its name and type as in the table, and the value that a row has for it. */
export interface Column<Row> {
  readonly name: string;
  readonly type: string;
  /** A search can name it as a field: see `searchable`. */
  readonly searchable?: true;
  /** Begins the column's part of a block. */
  open(): OpenColumn<Row>;
}

export interface OpenColumn<Row> {
  addAll(rows: readonly Row[]): void;
  /** No row has a value: the block may leave the column out. */
  readonly isEmpty: boolean;
  readonly bytes: number;
  data(): Iterable<Buffer>;
  clear(): void;
}

/** A column of `type` whose value is what `of` finds in a row. */
export function column<Row, Value>(name: string, type: WireType<Value>, of: (row: Row) => Value): Column<Row> {
  return { name, type: type.name, open: () => openColumn(type, of) };
}

/** Nulls are only counted until a row has a value: most columns of events are of one kind of event. */
function openColumn<Row, Value>(type: WireType<Value>, of: (row: Row) => Value): OpenColumn<Row> {
  const encoder = type.open();
  let isEmpty = type.isNullable ?? false;
  let nulls = 0;

  function begin(): void {
    isEmpty = false;
    for (let row = 0; row < nulls; row++) encoder.add(null as Value);
  }

  return {
    addAll(rows) {
      if (isEmpty) {
        if (rows.every((row) => of(row) === null)) {
          nulls += rows.length;
          return;
        }
        begin();
      }
      if (encoder.addAll !== undefined) encoder.addAll(rows, of);
      else for (let i = 0; i < rows.length; i++) encoder.add(of(rows[i] as Row));
    },
    get isEmpty() {
      return isEmpty;
    },
    get bytes() {
      return encoder.bytes;
    },
    data: () => encoder.data(),
    clear() {
      encoder.clear();
      isEmpty = type.isNullable ?? false;
      nulls = 0;
    },
  };
}

/** The same column, as a field that searches can name (`q`): see `search/record-fields.ts`. */
export function searchable<Row>(of: Column<Row>): Column<Row> {
  return { ...of, searchable: true };
}

/** A column whose value is the same in all rows of a block: it is taken from the first one and written when the block is sent. */
export function fixedColumn<Row, Value>(name: string, type: WireType<Value>, of: (row: Row) => Value): Column<Row> {
  return {
    name,
    type: type.name,
    open() {
      let first: Value;
      let rows = 0;
      return {
        addAll(more) {
          if (rows === 0 && more.length > 0) first = of(more[0] as Row);
          rows += more.length;
        },
        isEmpty: false,
        bytes: 0,
        data() {
          const encoder = type.open();
          for (let row = 0; row < rows; row++) encoder.add(first);
          return encoder.data();
        },
        clear() {
          rows = 0;
        },
      };
    },
  };
}

/** A table that Trapline inserts into. Its DDL stands in the migrations; a test compares the columns with it. */
export interface Table<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  /** Names of indexes that merges build, not inserts. Queries scan rows that are not merged yet. */
  readonly notAtLanding?: readonly string[];
  /** On replicas: an insert is acknowledged by one replica instead of a majority, because losing some rows is acceptable. */
  readonly withoutQuorum?: true;
  /** Expression of the instant after which a row is deleted, for a number of days. Absent when no setting governs it. */
  readonly ttl?: (days: number) => string;
}

/** A table whose blocks of one lane form a chain, see `lane-chain.ts`. Its partition key is the same in all rows of a block and known at landing only. */
export interface ChainedTable<Row> extends Table<Row> {
  readonly partition: Column<number>;
}

/** The INSERT whose body is a block of the table's columns in the Native format, which names them itself. */
export function insertStatement(database: string, table: string): string {
  return `INSERT INTO ${quoted(database)}.${quoted(table)} FORMAT Native`;
}

/** An identifier between backticks, whatever characters it holds. */
export function quoted(identifier: string): string {
  return `\`${identifier.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}
