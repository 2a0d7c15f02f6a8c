import type { ClickHouse } from '../client.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import {
  type Condition,
  conditionsOf,
  type FilterConditions,
  type FilterName,
  type Filters,
  nanosText,
} from './filters.ts';
import { type TimeWindow, timeWindows } from './time-windows.ts';

export interface PageRequest {
  /** At most 1,000. */
  readonly limit: number;
  readonly cursor?: string;
}

export interface Page<Item> {
  readonly items: Item[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

export const MAX_PAGE = 1_000;
const STREAM_PAGE = 5_000;

/** One part of the sort key, newest or highest first. Together the parts are unique. */
export interface SortKey {
  readonly column: string;
  /** Its value in a row, as text that `place` takes back; of a time its nanoseconds or milliseconds since the epoch. */
  readonly select: string;
  readonly place: (name: string) => string;
  readonly shape: RegExp;
}

export const nanosecondsKey = (column: string): SortKey => ({
  column,
  select: `toString(toUnixTimestamp64Nano(${column}))`,
  place: (name) => `fromUnixTimestamp64Nano({${name}:Int64}, 'UTC')`,
  shape: /^-?\d{1,19}$/,
});
export const millisecondsKey = (column: string): SortKey => ({
  column,
  select: `toString(toUnixTimestamp64Milli(${column}))`,
  place: (name) => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`,
  shape: /^-?\d{1,19}$/,
});
export const textKey = (column: string): SortKey => ({
  column,
  select: column,
  place: (name) => `{${name}:String}`,
  shape: /^.{0,300}$/s,
});
export const numberKey = (column: string): SortKey => ({
  column,
  select: `toString(${column})`,
  place: (name) => `{${name}:UInt64}`,
  shape: /^\d{1,20}$/,
});

export interface ListDefinition<Row, Item> {
  /** Plural, for messages. */
  readonly name: string;
  readonly table: string;
  /** What is read of a row, as it stands after SELECT. */
  readonly columns: string;
  readonly keys: readonly SortKey[];
  readonly filters: FilterConditions;
  /** The first key is a time by which the table can skip: read window by window, see `time-windows.ts`. Its unit: so many a second. */
  readonly windowsOf?: bigint;
  readonly toItem: (row: Row) => Item;
}

export interface Listing<Item> {
  /** The filters this list knows; others are ignored. */
  readonly filters: readonly FilterName[];
  /** Newest first. Pages of one walk neither repeat nor skip what was there at its beginning, whatever comes in meanwhile. */
  page(filters: Filters, request: PageRequest, also?: readonly Condition[]): Promise<Page<Item>>;
  /** All of them, newest first, in batches; memory stays that of a batch here and in the server. */
  stream(filters: Filters, also?: readonly Condition[], signal?: AbortSignal): AsyncIterable<Item[]>;
}

/** The sort key travels in the rows under a name no column has. */
type Keyed<Row> = Row & { readonly _key: string[] };

/** Keyset pagination over one table or view. */
export function createListing<Row, Item>(clickhouse: ClickHouse, definition: ListDefinition<Row, Item>): Listing<Item> {
  const { keys, filters: known, toItem } = definition;
  const shape = keys.map((key) => key.shape);
  const from = clickhouse.table(definition.table);
  const order = keys.map((key) => `${key.column} DESC`).join(', ');
  const keyColumn = `[${keys.map((key) => key.select).join(', ')}] AS _key`;

  function after(key: readonly string[]): Condition {
    const places = keys.map((part, i) => part.place(`after_${i}`));
    const first = `${keys[0]?.column} <= ${places[0]}`; // implied by the rest, and lets the index on it skip
    return {
      sql: `${first} AND (${keys.map((part) => part.column).join(', ')}) < (${places.join(', ')})`,
      params: Object.fromEntries(key.map((value, i) => [`after_${i}`, value])),
    };
  }

  async function read(where: readonly Condition[], limit: number, signal?: AbortSignal): Promise<Keyed<Row>[]> {
    const clause = where.length === 0 ? '' : `WHERE ${where.map((condition) => condition.sql).join(' AND ')}`;
    return clickhouse.rows<Keyed<Row>>(
      `list ${definition.name}`,
      `SELECT ${definition.columns}, ${keyColumn} FROM ${from} ${clause} ORDER BY ${order} LIMIT {limit:UInt64}`,
      {
        params: Object.assign({ limit }, ...where.map((condition) => condition.params)),
        settings: { ...NEWEST_FIRST, ...QUERY_LIMITS },
        ...(signal ? { signal } : {}),
      },
    );
  }

  /** The first `limit` rows after `start`: from the newest window backwards until there are enough. */
  async function next(walk: Walk, limit: number, signal?: AbortSignal): Promise<Keyed<Row>[]> {
    const { windowsOf: unit } = definition;
    const where = [...walk.where, ...(walk.start ? [after(walk.start)] : [])];
    if (unit === undefined) return read(where, limit, signal);
    const time = keys[0] as SortKey;
    const rows: Keyed<Row>[] = [];
    for (const window of timeWindows(await newest(walk, time, unit), unit, walk.span)) {
      rows.push(...(await read([...where, ...inWindow(time, window)], limit - rows.length, signal)));
      walk.span = window.span;
      if (rows.length >= limit) break;
    }
    return rows;
  }

  /** Where windows begin: at the place the walk has come to, else at the newest row, but not in a future that a clock or an attacker made up. */
  async function newest({ filters, start }: Walk, time: SortKey, unit: bigint): Promise<bigint> {
    if (start !== undefined) return BigInt(start[0] as string);
    const [row] = await clickhouse.rows<{ newest: string }>(
      `find the newest of ${definition.name}`,
      `SELECT ${time.select} AS newest FROM ${from} ORDER BY ${time.column} DESC LIMIT 1`,
      { settings: NEWEST_FIRST },
    );
    const now = (BigInt(Date.now()) * unit) / 1000n;
    const to = filters.to === undefined ? now : BigInt(nanosText(filters.to)) / (1_000_000_000n / unit);
    return [now, to, row === undefined ? now : BigInt(row.newest)].reduce((least, value) =>
      value < least ? value : least,
    );
  }

  function walkOf(filters: Filters, also: readonly Condition[], cursor?: string): Walk {
    const start = cursor === undefined ? undefined : decodeCursor(cursor, shape);
    return { filters, where: [...conditionsOf(known, filters), ...also], start, span: undefined };
  }

  return {
    filters: Object.keys(known) as FilterName[],
    async page(filters, { limit, cursor }, also = []) {
      const wanted = Math.min(Math.max(limit, 1), MAX_PAGE);
      const rows = await next(walkOf(filters, also, cursor), wanted + 1);
      const items = rows.slice(0, wanted);
      const last = items.at(-1);
      const more = rows.length > wanted && last !== undefined;
      return { items: items.map(toItem), ...(more ? { nextCursor: encodeCursor(last._key) } : {}) };
    },
    async *stream(filters, also = [], signal) {
      const walk = walkOf(filters, also);
      for (;;) {
        const rows = await next(walk, STREAM_PAGE, signal);
        if (rows.length > 0) yield rows.map(toItem);
        const last = rows.at(-1);
        if (rows.length < STREAM_PAGE || last === undefined) return;
        walk.start = last._key;
      }
    },
  };
}

/** A walk through a list: what it is narrowed by, the key it has come to, and the span of time that last held enough rows. */
interface Walk {
  readonly filters: Filters;
  readonly where: readonly Condition[];
  start: readonly string[] | undefined;
  span: bigint | undefined;
}

function inWindow(time: SortKey, { from, before }: TimeWindow): Condition[] {
  return [
    ...(from === undefined
      ? []
      : [{ sql: `${time.column} >= ${time.place('w_from')}`, params: { w_from: String(from) } }]),
    ...(before === undefined
      ? []
      : [{ sql: `${time.column} < ${time.place('w_before')}`, params: { w_before: String(before) } }]),
  ];
}

/** Of one query; who runs into one is told to ask for less: see `exceededLimit`. Seconds, rows, bytes. */
export const QUERY_LIMITS = {
  max_execution_time: 20,
  max_rows_to_read: '2000000000',
  max_memory_usage: String(3 * 2 ** 30),
} as const;

/** Wide columns are read for the rows of the page only, and granules that cannot hold one of the newest are left out. */
const NEWEST_FIRST = {
  query_plan_max_limit_for_lazy_materialization: '10000',
  query_plan_max_limit_for_top_k_optimization: '10000',
} as const;
