import { type ColumnRun, hasValue } from './native/column-run.ts';
import type { WireType } from './native/wire-type.ts';

/** Values of one column in consecutive rows: encoded, or one by one. Undefined if all are null. */
export type ColumnValues = ColumnRun | readonly unknown[] | undefined;

/**
 * One column of an inserted block: its name and type as in the table, and the function that reads its value from a row.
 */
export interface Column<Row> {
  readonly name: string;
  readonly type: string;
  /** True if a search can use it as a field; see `searchable`. */
  readonly searchable?: true;
  /** Starts the column's part of a block. */
  open(): OpenColumn<Row>;
}

export interface OpenColumn<Row> {
  addAll(rows: readonly Row[]): void;
  /** Adds the values of `count` rows. */
  addValues(count: number, values: ColumnValues): void;
  /** True if no row has a value. The block may then omit the column. */
  readonly isEmpty: boolean;
  readonly bytes: number;
  data(): Iterable<Buffer>;
  clear(): void;
}

/** Defines a column of `type` whose value `of` reads from a row. */
export function column<Row, Value>(name: string, type: WireType<Value>, of: (row: Row) => Value): Column<Row> {
  return { name, type: type.name, open: () => openColumn(type, of) };
}

/** Only counts nulls until a row has a value, because most columns belong to one kind of event. */
function openColumn<Row, Value>(type: WireType<Value>, of: (row: Row) => Value): OpenColumn<Row> {
  const encoder = type.open();
  let isEmpty = type.isNullable ?? false;
  let nulls = 0;

  function begin(): void {
    isEmpty = false;
    for (let row = 0; row < nulls; row++) encoder.add(null as Value);
  }

  function addNulls(count: number): void {
    if (isEmpty) nulls += count;
    else for (let row = 0; row < count; row++) encoder.add(null as Value);
  }

  function addRun(count: number, run: ColumnRun): void {
    if (isEmpty && !hasValue(run)) {
      nulls += count;
      return;
    }
    if (isEmpty) begin();
    if (encoder.addRun === undefined) throw new TypeError(`a run of ${run.kind} cannot be stored as ${type.name}`);
    encoder.addRun(run);
  }

  return {
    addValues(count, values) {
      if (values === undefined) addNulls(count);
      else if ('kind' in values) addRun(count, values);
      else {
        if (isEmpty) begin();
        for (let i = 0; i < count; i++) encoder.add(values[i] as Value);
      }
    },
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

/** Returns the same column as a field that searches (`q`) can use; see `search/record-fields.ts`. */
export function searchable<Row>(of: Column<Row>): Column<Row> {
  return { ...of, searchable: true };
}

/**
 * Defines a column with the same value in all rows of a block. The value is read from the first row and written when
 * the block is sent.
 */
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
        addValues(count, values) {
          if (rows === 0 && Array.isArray(values)) first = values[0] as Value;
          rows += count;
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

/** A table into which Trapline inserts. Its DDL is in the migrations, and a test compares the columns with it. */
export interface Table<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  /** Names of indexes that merges build, not inserts. Queries scan rows that are not merged yet. */
  readonly notAtLanding?: readonly string[];
  /**
   * On replicas, an insert is acknowledged by one replica instead of a majority, because losing some rows is
   * acceptable.
   */
  readonly withoutQuorum?: true;
  /**
   * Returns the expression of the instant after which a row is deleted, for a number of days. Absent if the retention
   * is not configurable.
   */
  readonly ttl?: (days: number) => string;
}

/**
 * A table whose blocks of one lane form a chain; see `lane-chain.ts`. Its partition key is the same in all rows of a
 * block, and is known only when the block is stored.
 */
export interface ChainedTable<Row> extends Table<Row> {
  readonly partition: Column<number>;
}

/**
 * Returns the INSERT statement for a block of the table's columns in the Native format. The format contains the column
 * names.
 */
export function insertStatement(database: string, table: string): string {
  return `INSERT INTO ${quoted(database)}.${quoted(table)} FORMAT Native`;
}

/** Quotes an identifier with backticks, whatever characters it contains. */
export function quoted(identifier: string): string {
  return `\`${identifier.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}
