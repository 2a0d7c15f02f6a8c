import type { Instant } from '#schemas/events/accepted.ts';
import type { ClickHouse } from '../client.ts';
import { CursorError, decodeCursor, encodeCursor } from './cursor.ts';
import { type Condition, conditionsOf, type FilterName, type Filters, mergeParams, nanosText } from './filters.ts';
import type { ListDefinition, Listing } from './list-definition.ts';
import { inWindow, NEWEST_FIRST, QUERY_LIMITS, READ_AT_ONCE, rowsAfter, selectText } from './list-query.ts';
import { readLines } from './read-lines.ts';
import { type SortKey, WALK_BEGAN } from './sort-keys.ts';
import { fittingWindows, timeWindows } from './time-windows.ts';

export const MAX_PAGE = 1_000;
const STREAM_PAGE = 5_000;
/** Target and maximum number of lines per query. The time window of a query is chosen for about the target. */
const LINES_WANTED = 16_000;
const MAX_LINES = 40_000;

/** A row with its sort key, under a name that no column has. */
type Keyed<Row> = Row & { readonly _key: string[] };

/**
 * Creates a list with keyset pagination over one table or view. Long: its functions share the definition of the list.
 */
export function createListing<Row, Item>(clickhouse: ClickHouse, definition: ListDefinition<Row, Item>): Listing<Item> {
  const { keys: keysNow, moving, filters: known, toItem, direction = 'DESC', label } = definition;
  const shape = [...keysNow.map((key) => key.shape), ...(moving ? [moving.shape] : [])];
  const from = clickhouse.table(definition.table);

  /** Returns the sort key for the first page of a walk, or for a later page. */
  function keysAt(start: Walk['start']): readonly SortKey[] {
    return start !== undefined && moving !== undefined ? moving.keys : keysNow;
  }

  function keyColumn(start: Walk['start']): string {
    const began = moving && (start === undefined ? moving.began : `toString({${WALK_BEGAN}:Int64})`);
    const parts = keysAt(start).map((key) => key.select);
    return `[${[...parts, ...(began === undefined ? [] : [began])].join(', ')}] AS _key`;
  }

  function query(
    select: string,
    start: Walk['start'],
    conditions: readonly Condition[],
    limit: number,
    signal?: AbortSignal,
  ) {
    const where = start === undefined ? conditions : [...conditions, rowsAfter(keysAt(start), direction, start)];
    const rows = {
      from,
      pick: definition.pick,
      where,
      order: keysAt(start).map((key) => `${key.column} ${direction}`),
    };
    return {
      text: selectText(select, rows),
      options: {
        params: mergeParams({ limit }, definition.params ?? {}, ...where.map((condition) => condition.params)),
        settings: { ...NEWEST_FIRST, ...READ_AT_ONCE, ...QUERY_LIMITS },
        ...(signal ? { signal } : {}),
      },
    };
  }

  async function read(
    start: Walk['start'],
    where: readonly Condition[],
    limit: number,
    signal?: AbortSignal,
  ): Promise<Keyed<Row>[]> {
    const { text, options } = query(`${definition.columns}, ${keyColumn(start)}`, start, where, limit, signal);
    return clickhouse.rows<Keyed<Row>>(`list ${definition.name}`, text, options);
  }

  /**
   * Returns the first `limit` rows after the walk's start. Reads windows from the newest backwards until there are
   * enough rows.
   */
  async function next(walk: Walk, limit: number, signal?: AbortSignal): Promise<Keyed<Row>[]> {
    const { windowsOf: unit } = definition;
    const { filters, where, narrowed, start, span } = walk;
    if (unit === undefined) return read(start, where, limit, signal);
    const time = keysNow[0] as SortKey;
    const oldest = filters.from === undefined ? undefined : inUnits(filters.from, unit);
    const options = { span, oldest, wanted: limit, narrowed, byText: filters.q !== undefined };
    let windows = timeWindows(start ? BigInt(start[0] as string) : latest(filters, unit), unit, options);
    const rows: Keyed<Row>[] = [];
    let { value: window } = windows.next(0);
    for (let isFirst = start === undefined; window !== undefined; isFirst = false) {
      const found = await read(start, [...where, ...inWindow(time, window)], limit - rows.length, signal);
      rows.push(...found);
      walk.span = window.span;
      if (rows.length >= limit) break;
      // The newest window is empty. Either matching rows are rare, or no row was stored recently; in the latter case,
      // the next window ends at the newest row.
      if (isFirst && found.length === 0 && window.from !== undefined) {
        const end = await newest(filters, time, unit);
        if (end === undefined) break;
        if (end < window.from) windows = timeWindows(end, unit, { ...options, before: window.from });
      }
      window = windows.next(found.length).value;
    }
    return rows;
  }

  /** Returns `latest`, but no later than the newest row. Undefined if there are no rows. */
  async function newest(filters: Filters, time: SortKey, unit: bigint): Promise<bigint | undefined> {
    const now = latest({}, unit);
    for (const seconds of NEWEST_WITHIN) {
      const window = seconds === undefined ? [] : inWindow(time, { from: now - seconds * unit, before: undefined });
      const where = window.map(({ sql }) => `WHERE ${sql}`).join('');
      const [row] = await clickhouse.rows<{ newest: string }>(
        `find the newest of ${definition.name}`,
        `SELECT ${time.select} AS newest FROM ${from} ${where} ORDER BY ${time.column} DESC LIMIT 1`,
        { params: mergeParams(...window.map(({ params }) => params)), settings: NEWEST_FIRST },
      );
      if (row !== undefined) return earlier(latest(filters, unit), BigInt(row.newest));
    }
    return undefined;
  }

  function walkOf(filters: Filters, also: readonly Condition[], cursor?: string): Walk {
    const start = cursor === undefined ? undefined : keyInCursor(cursor, label, shape);
    const where = [...conditionsOf(known, filters), ...also];
    const narrowed = also.length > 0 || Object.keys(filters).some((name) => name !== 'from' && name !== 'to');
    return { filters, where, narrowed, start, span: undefined };
  }

  return {
    filters: Object.keys(known) as FilterName[],
    async page(filters, { limit, cursor }, also = []) {
      const wanted = Math.min(Math.max(limit, 1), MAX_PAGE);
      const rows = await next(walkOf(filters, also, cursor), wanted + 1);
      const items = rows.slice(0, wanted);
      const last = items.at(-1);
      const more = rows.length > wanted && last !== undefined;
      return {
        items: items.map(toItem),
        ...(more ? { nextCursor: encodeCursor(label === undefined ? last._key : [label, ...last._key]) } : {}),
      };
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
    async *lines({ select, keyOf }, filters, also = [], signal) {
      const { windowsOf: unit } = definition;
      const time = keysNow[0];
      if (unit === undefined || time === undefined)
        throw new TypeError(`${definition.name} have no windows to write them by`);
      const walk = walkOf(filters, also);
      const end = await newest(filters, time, unit);
      if (end === undefined) return;
      const windows = fittingWindows(end, unit, LINES_WANTED);
      for (let { value: window, done } = windows.next(0); !done && window !== undefined; ) {
        const where = [...walk.where, ...inWindow(time, window)];
        const { text, options } = query(`${select} AS line`, walk.start, where, MAX_LINES, signal);
        // Reads all lines before it yields any, so that a slow reader makes this process wait and not the server.
        const read = await readLines(clickhouse.bytes(`write ${definition.name}`, `${text} FORMAT TSVRaw`, options));
        yield* read.chunks;
        const isFull = read.lines >= MAX_LINES && read.last !== undefined;
        walk.start = isFull ? keyOf(read.last as string) : undefined;
        if (!isFull) ({ value: window, done } = windows.next(read.lines));
      }
    },
  };
}

/** Returns the sort key in a cursor of the order with this label. Throws `CursorError`. */
function keyInCursor(cursor: string, label: string | undefined, shape: readonly RegExp[]): string[] {
  if (label === undefined) return decodeCursor(cursor, shape);
  const [named, ...key] = decodeCursor(cursor, [/^.{1,100}$/, ...shape]);
  if (named !== label) throw new CursorError();
  return key;
}

/**
 * Returns the newest instant at which a walk can begin. It is not in the future: only a wrong clock or an attacker can
 * write future times.
 */
function latest({ to }: Filters, unit: bigint): bigint {
  const now = (BigInt(Date.now()) * unit) / 1000n;
  return to === undefined ? now : earlier(now, inUnits(to, unit));
}

/**
 * Ranges in seconds in which the newest row is searched: about a quarter of an hour, four hours, then everything. The
 * first takes 5 ms. The last takes 100 ms for 1,000,000,000 events, because ClickHouse compares the times of all
 * granules.
 */
const NEWEST_WITHIN = [960n, 15_360n, undefined] as const;

/**
 * State of a walk through a list: its filters, its current key, and the size of the time window that last held enough
 * rows.
 */
interface Walk {
  readonly filters: Filters;
  readonly where: readonly Condition[];
  /** True if it is filtered by more than time. */
  readonly narrowed: boolean;
  start: readonly string[] | undefined;
  span: bigint | undefined;
}

const earlier = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** Converts an instant to units of the first key, `unit` per second. */
function inUnits(instant: Instant, unit: bigint): bigint {
  return BigInt(nanosText(instant)) / (1_000_000_000n / unit);
}
