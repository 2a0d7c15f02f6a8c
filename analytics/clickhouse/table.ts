import type { RowBinaryWriter } from './row-binary.ts';

/** One column, stated once: its DDL, its meaning and how a row's value is written. */
export interface Column<Row> {
  readonly name: string;
  readonly type: string;
  readonly codec?: string;
  /** Shown to analysts by DESCRIBE. */
  readonly comment?: string;
  readonly write: (writer: RowBinaryWriter, row: Row) => void;
}

export interface Table<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  /** Skip indexes and projections, each as it stands in CREATE TABLE. */
  readonly indexes?: readonly string[];
  readonly engine: string;
  readonly partitionBy?: string;
  readonly orderBy: string;
  /** Expression of the instant after which a row goes, given the number of days; absent for tables that keep everything. */
  readonly ttl?: (days: number) => string;
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** A table whose blocks of one lane form a chain, see `landing-store.ts`. */
export const CHAINED_TABLE_SETTINGS = {
  // The last blocks whose tokens are remembered, over all lanes. A chain's mark is read again before it is older than that.
  non_replicated_deduplication_window: 10_000,
} as const;

export function createTableStatement<Row>(database: string, table: Table<Row>, retentionDays: number): string {
  const columns = table.columns.map(columnClause);
  const settings = Object.entries(table.settings ?? {}).map(([name, value]) => `${name} = ${value}`);
  return [
    `CREATE TABLE IF NOT EXISTS ${quoted(database)}.${quoted(table.name)}`,
    `(\n  ${[...columns, ...(table.indexes ?? [])].join(',\n  ')}\n)`,
    `ENGINE = ${table.engine}`,
    ...(table.partitionBy ? [`PARTITION BY ${table.partitionBy}`] : []),
    `ORDER BY ${table.orderBy}`,
    ...(table.ttl ? [`TTL ${table.ttl(retentionDays)}`] : []),
    ...(settings.length > 0 ? [`SETTINGS ${settings.join(', ')}`] : []),
  ].join('\n');
}

export function columnClause<Row>({ name, type, codec, comment }: Column<Row>): string {
  return [
    quoted(name),
    type,
    ...(comment ? [`COMMENT '${comment.replaceAll("'", "\\'")}'`] : []),
    ...(codec ? [`CODEC(${codec})`] : []),
  ].join(' ');
}

/** The INSERT whose body is rows written by the columns in their order. */
export function insertStatement<Row>(database: string, table: Table<Row>): string {
  const names = table.columns.map((column) => quoted(column.name)).join(', ');
  return `INSERT INTO ${quoted(database)}.${quoted(table.name)} (${names}) FORMAT RowBinary`;
}

export function writeRow<Row>(writer: RowBinaryWriter, columns: readonly Column<Row>[], row: Row): void {
  for (let i = 0; i < columns.length; i++) (columns[i] as Column<Row>).write(writer, row);
}

export function quoted(identifier: string): string {
  return `\`${identifier.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}
