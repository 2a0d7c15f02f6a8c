import type { Condition, FilterConditions, FilterName, Filters } from './filters.ts';
import type { MovingRows, SortKey } from './sort-keys.ts';

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

export interface ListDefinition<Row, Item> {
  /** Plural, for messages. */
  readonly name: string;
  readonly table: string;
  /** Columns of a row, as SQL after SELECT. */
  readonly columns: string;
  readonly keys: readonly SortKey[];
  /** Direction of all keys. Default: newest or highest first. */
  readonly direction?: 'ASC' | 'DESC';
  /** Prefix of this order's cursors, if a list has several orders. A cursor of another order is rejected. */
  readonly label?: string;
  /** Query parameters of the keys. */
  readonly params?: Condition['params'];
  readonly filters: FilterConditions;
  /**
   * For wide rows: the rows of a page are selected by their narrow columns first, and only these rows are read as a
   * whole.
   */
  readonly pick?: PagePick;
  /** Set if the position of a row changes when the row changes. */
  readonly moving?: MovingRows;
  /**
   * Set if the first key is a time by which the table can skip rows. The list is then read window by window; see
   * `time-windows.ts`. The value is the number of units per second.
   */
  readonly windowsOf?: bigint;
  readonly toItem: (row: Row) => Item;
}

export interface PagePick {
  /** A unique column by which the table is sorted. */
  readonly by: string;
  /** Returns a source with the same rows for these conditions, as SQL after FROM. */
  readonly from: (where: readonly Condition[]) => string;
}

export interface Listing<Item> {
  /** Filters that this list supports. It ignores others. */
  readonly filters: readonly FilterName[];
  /**
   * Returns one page, newest first. The pages of one walk neither repeat nor skip records that existed when it began,
   * whatever arrives during the walk.
   */
  page(filters: Filters, request: PageRequest, also?: readonly Condition[]): Promise<Page<Item>>;
  /** Yields all records, newest first, in batches. Memory use is that of one batch, here and in the server. */
  stream(filters: Filters, also?: readonly Condition[], signal?: AbortSignal): AsyncIterable<Item[]>;
  /**
   * Yields the records as lines that the server writes. `select` is the SQL of a line, and `keyOf` extracts the sort
   * key from one.
   */
  lines(
    lines: LineDefinition,
    filters: Filters,
    also?: readonly Condition[],
    signal?: AbortSignal,
  ): AsyncIterable<Buffer>;
}

export interface LineDefinition {
  readonly select: string;
  readonly keyOf: (line: string) => readonly string[];
}
