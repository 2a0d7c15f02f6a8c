import type { ClickHouse } from './client.ts';
import type { Lane, RowBlock } from './port.ts';
import { type ChainedTable, insertStatement } from './table.ts';

/** A finished block of rows of one lane, as its builder hands it over. */
export interface ChainBlock extends RowBlock {
  readonly lane: Lane;
  /** Part of every row; distinguishes this block from a rival's that ends at the same offset. Epoch milliseconds. */
  readonly receivedMs: number;
  /** The insert's body, with the table partition (days since the epoch) in every row. Repeatable: a block may be sent again. */
  body(landingDay: number): Iterable<Buffer>;
}

/** The last row of a lane in a table: what the next block builds on. */
export interface Tip {
  /** -1 without one. */
  readonly offset: number;
  /** UTC day of its receipt, days since the epoch; 0 without one. */
  readonly day: number;
  /** Of its block. */
  readonly receivedMs: number;
}

/** When a tip was read, by both clocks of the process. */
export interface ReadMoment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** The moment of a read that begins now. */
export function readMoment(): ReadMoment {
  return { wallMs: Date.now(), monotonicMs: performance.now() };
}

/** Whether a tip that was read then can be built on. Both clocks must agree: one can be set back, the other stops while the machine is suspended. */
export function isTrusted({ wallMs, monotonicMs }: ReadMoment): boolean {
  const ages = [Date.now() - wallMs, performance.now() - monotonicMs];
  return ages.every((age) => age >= 0 && age < TIP_TRUSTED_MS);
}

/** The statements on one table of chained blocks, see `lane-chain.ts`. */
export interface ChainTable {
  /** The last row of a lane that `server` has. Rows before `from` are not read. */
  readTip(server: ClickHouse, lane: Lane, from: number): Promise<Tip>;
  /** Whether `server` has the row of the tip. */
  holds(server: ClickHouse, lane: Lane, tip: Tip, signal: AbortSignal): Promise<boolean>;
  /** `again`: how many tokens before this one stood for rows that were removed. */
  insert(block: ChainBlock, mark: number, landingDay: number, again: number): Promise<void>;
}

/** One block, one atomic insert: what came as one block of the Native format is neither cut nor put together with another. */
const ONE_BLOCK = {
  max_insert_block_size: '16777216',
  min_insert_block_size_rows: '16777216',
  min_insert_block_size_bytes: String(1024 * 1024 * 1024),
  input_format_parallel_parsing: 0,
  max_insert_threads: '1',
  insert_deduplicate: 1,
  // The keys of a block are distinct and in order already.
  optimize_on_insert: 0,
} as const;

/** A tip older than this is read again before a block builds on it: the server forgets old tokens, also while this process is paused. */
const TIP_TRUSTED_MS = 10_000;
/** A lane was removed at most so often within what the server remembers; more means that it drops blocks for another reason. */
export const MAX_TOKENS = 200;
const NOTHING: Tip = { offset: -1, day: 0, receivedMs: -1 };

/** The last row by the primary key: the end of each part that can hold it, not the whole lane. */
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
