import type { ClickHouse } from './client.ts';
import type { Lane, RowBlock } from './port.ts';
import { type ChainedTable, insertStatement } from './table.ts';

/** A finished block of rows of one lane. */
export interface ChainBlock extends RowBlock {
  readonly lane: Lane;
  /**
   * Epoch milliseconds. Part of every row. Distinguishes this block from a block of another writer that ends at the
   * same offset.
   */
  readonly receivedMs: number;
  /**
   * Returns the insert's body, with the table partition (days since the epoch) in every row. Repeatable: a block may be
   * sent again.
   */
  body(landingDay: number): Iterable<Buffer>;
}

/** The last row of a lane in a table. The next block is appended after it. */
export interface Tip {
  /** -1 if there is no row. */
  readonly offset: number;
  /** UTC day of its receipt, days since the epoch; 0 if there is no row. */
  readonly day: number;
  /** `receivedMs` of its block. */
  readonly receivedMs: number;
}

/** Time at which a tip was read, on both clocks of the process. */
export interface ReadMoment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** Returns the current time on both clocks. Called when a read starts. */
export function readMoment(): ReadMoment {
  return { wallMs: Date.now(), monotonicMs: performance.now() };
}

/**
 * Returns true if a tip read at that time is recent enough to append to. Both clocks must agree: the wall clock can be
 * set back, and the monotonic clock stops while the machine is suspended.
 */
export function isTrusted({ wallMs, monotonicMs }: ReadMoment): boolean {
  const ages = [Date.now() - wallMs, performance.now() - monotonicMs];
  return ages.every((age) => age >= 0 && age < TIP_TRUSTED_MS);
}

/** Statements on one table of chained blocks; see `lane-chain.ts`. */
export interface ChainTable {
  /** Returns the last row of a lane on `server`. Does not read rows before `from`. */
  readTip(server: ClickHouse, lane: Lane, from: number): Promise<Tip>;
  /** Returns true if `server` has the row of the tip. */
  holds(server: ClickHouse, lane: Lane, tip: Tip, signal: AbortSignal): Promise<boolean>;
  /** `again`: number of earlier tokens whose rows were removed. */
  insert(block: ChainBlock, mark: number, landingDay: number, again: number): Promise<void>;
}

/**
 * Makes an insert of one block atomic: the server neither splits a block of the Native format nor merges it with
 * another.
 */
const ONE_BLOCK = {
  max_insert_block_size: '16777216',
  min_insert_block_size_rows: '16777216',
  min_insert_block_size_bytes: String(1024 * 1024 * 1024),
  input_format_parallel_parsing: 0,
  max_insert_threads: '1',
  insert_deduplicate: 1,
  // The keys of a block are already distinct and in order.
  optimize_on_insert: 0,
} as const;

/**
 * Maximum age of a cached tip. An older tip is read again before a block is appended. The server forgets old tokens,
 * also while this process is paused.
 */
const TIP_TRUSTED_MS = 10_000;
/**
 * Maximum number of times that a lane can be removed within the server's deduplication window. More attempts mean that
 * the server drops blocks for another reason.
 */
export const MAX_TOKENS = 200;
const NOTHING: Tip = { offset: -1, day: 0, receivedMs: -1 };

/** Reads the last row by the primary key: only the end of each part that can contain it, not the whole lane. */
const READ_TIP = { optimize_read_in_order: 1, max_threads: 1, use_query_condition_cache: 0 } as const;

export function chainTable<Row>(clickhouse: ClickHouse, table: ChainedTable<Row>): ChainTable {
  const name = clickhouse.table(table.name);
  const insert = insertStatement(clickhouse.database, table.name);
  const settings = { ...ONE_BLOCK, exclude_materialize_skip_indexes_on_insert: (table.notAtLanding ?? []).join(', ') };

  return {
    async readTip(server, lane, from) {
      const [row] = await server.rows<{ offset: string; day: number; received_ms: string }>(
        `read the mark of ${table.name}`,
        `SELECT offset, toUInt16(toDate(received)) AS day, toUnixTimestamp64Milli(received) AS received_ms FROM ${name}
         WHERE topic = {topic:String} AND partition = {partition:UInt64} AND offset >= {from:UInt64}
         ORDER BY topic DESC, partition DESC, offset DESC LIMIT 1`,
        { params: { topic: lane.topic, partition: lane.partition, from: Math.max(from, 0) }, settings: READ_TIP },
      );
      return row === undefined
        ? NOTHING
        : { offset: Number(row.offset), day: row.day, receivedMs: Number(row.received_ms) };
    },
    async holds(server, lane, { offset, receivedMs }, signal) {
      const rows = await server.rows(
        `look for the mark of ${table.name}`,
        `SELECT 1 FROM ${name} WHERE topic = {topic:String} AND partition = {partition:UInt64} AND offset = {offset:UInt64}
           AND toUnixTimestamp64Milli(received) = {receivedMs:Int64} LIMIT 1`,
        { params: { ...lane, offset, receivedMs }, settings: READ_TIP, signal },
      );
      return rows.length > 0;
    },
    async insert(block, mark, landingDay, again) {
      const { lane } = block;
      const token = `${table.name}/${lane.topic}/${lane.partition}/after:${mark}${again === 0 ? '' : `/again:${again}`}`;
      await clickhouse.insert(`land a block of ${table.name}`, insert, block.body(landingDay), {
        settings: { ...settings, insert_deduplication_token: token },
      });
    },
  };
}

export function laneKey(lane: Lane): string {
  return `${lane.partition}/${lane.topic}`;
}
