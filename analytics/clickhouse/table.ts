import type { WireType } from './native/wire-type.ts';

/** One column, stated once: its DDL, its meaning and where a row has its value. */
export interface Column<Row> {
  readonly name: string;
  readonly type: string;
  readonly codec?: string;
  /** Shown to analysts by DESCRIBE. */
  readonly comment?: string;
  /** That differ from the table's: how its values are put into blocks that are packed. */
  readonly settings?: Readonly<Record<string, number>>;
  /** Begins the column's part of a block. */
  open(): OpenColumn<Row>;
}

export interface OpenColumn<Row> {
  addAll(rows: readonly Row[]): void;
  readonly bytes: number;
  data(): Iterable<Buffer>;
  clear(): void;
}

type More<Row> = Partial<Pick<Column<Row>, 'codec' | 'comment' | 'settings'>>;

/** A column of `type` whose value is what `of` finds in a row. */
export function column<Row, Value>(
  name: string,
  type: WireType<Value>,
  of: (row: Row) => Value,
  more: More<Row> = {},
): Column<Row> {
  return {
    name,
    type: type.name,
    ...more,
    open() {
      const encoder = type.open();
      return {
        addAll(rows) {
          if (encoder.addAll !== undefined) encoder.addAll(rows, of);
          else for (let i = 0; i < rows.length; i++) encoder.add(of(rows[i] as Row));
        },
        get bytes() {
          return encoder.bytes;
        },
        data: () => encoder.data(),
        clear: () => encoder.clear(),
      };
    },
  };
}

/** A column whose value is the same in all rows of a block: it is taken from the first one and written when the block is sent. */
export function fixedColumn<Row, Value>(
  name: string,
  type: WireType<Value>,
  of: (row: Row) => Value,
  more: More<Row> = {},
): Column<Row> {
  return {
    name,
    type: type.name,
    ...more,
    open() {
      let first: Value;
      let rows = 0;
      return {
        addAll(more) {
          if (rows === 0 && more.length > 0) first = of(more[0] as Row);
          rows += more.length;
        },
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

export interface Table<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  /** Columns that the server makes of the others, each as it stands in CREATE TABLE. */
  readonly computed?: readonly string[];
  /** Skip indexes and projections, each as it stands in CREATE TABLE. */
  readonly indexes?: readonly string[];
  /** Names of indexes that merges make, not inserts: until then queries read these rows themselves. */
  readonly notAtLanding?: readonly string[];
  readonly engine: string;
  readonly partitionBy?: string;
  readonly orderBy: string;
  /** Expression of the instant after which a row goes, given the number of days; absent for tables that keep everything. */
  readonly ttl?: (days: number) => string;
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** A table whose blocks of one lane form a chain, see `lane-chain.ts`. Its partition key is the same in all rows of a block and known at landing only. */
export interface ChainedTable<Row> extends Omit<Table<Row>, 'partitionBy'> {
  readonly partition: Column<number>;
}

export const CHAINED_TABLE_SETTINGS = {
  // The last blocks whose tokens are remembered, over all lanes. A chain's mark is read again before it is older than that.
  non_replicated_deduplication_window: 10_000,
} as const;

/** The DDL that makes the table when it is not there. */
export function createTableStatement<Row>(
  database: string,
  table: Table<Row> | ChainedTable<Row>,
  retentionDays: number,
): string {
  const chained = 'partition' in table;
  const columns = [...(chained ? [columnClause(table.partition)] : []), ...table.columns.map(columnClause)];
  const partitionBy = chained ? table.partition.name : table.partitionBy;
  const settings = settingClauses(table.settings);
  return [
    `CREATE TABLE IF NOT EXISTS ${quoted(database)}.${quoted(table.name)}`,
    `(\n  ${[...columns, ...(table.computed ?? []), ...(table.indexes ?? [])].join(',\n  ')}\n)`,
    `ENGINE = ${table.engine}`,
    ...(partitionBy ? [`PARTITION BY ${partitionBy}`] : []),
    `ORDER BY ${table.orderBy}`,
    ...(table.ttl ? [`TTL ${table.ttl(retentionDays)}`] : []),
    ...(settings.length > 0 ? [`SETTINGS ${settings.join(', ')}`] : []),
  ].join('\n');
}

/** Settings as DDL lists them. */
export function settingClauses(settings: Readonly<Record<string, string | number>> = {}): string[] {
  return Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
}

/** A column as DDL names it. */
export function columnClause<Row>({ name, type, codec, comment, settings }: Column<Row>): string {
  return [
    quoted(name),
    type,
    ...(comment ? [`COMMENT '${comment.replaceAll("'", "\\'")}'`] : []),
    ...(codec ? [`CODEC(${codec})`] : []),
    ...(settings ? [`SETTINGS (${settingClauses(settings).join(', ')})`] : []),
  ].join(' ');
}

/** The INSERT whose body is a block of the table's columns in the Native format, which names them itself. */
export function insertStatement(database: string, table: string): string {
  return `INSERT INTO ${quoted(database)}.${quoted(table)} FORMAT Native`;
}

/** An identifier between backticks, whatever characters it holds. */
export function quoted(identifier: string): string {
  return `\`${identifier.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}
