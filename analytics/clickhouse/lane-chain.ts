import type { ClickHouse } from './client.ts';
import type { Fenced, Landed, Lane, RowBlock } from './port.ts';
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

export interface LaneChain {
  tip(lane: Lane): Promise<Tip>;
  land(block: ChainBlock, mark: number): Promise<Landed | Fenced>;
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

/** A tip older than this is read again before it is built on: the server forgets old tokens, and a paused process must not wake up into that. */
const TIP_TRUSTED_MS = 10_000;
/** A lane was removed at most so often within what the server remembers; more means that it drops blocks for another reason. */
const MAX_TOKENS = 200;
const NOTHING: Tip = { offset: -1, day: 0, receivedMs: -1 };

/**
 * Appends blocks to the lanes of one table so that of any number of writers exactly one wins each step.
 *
 *   token = <table>/<topic>/<partition>/after:<mark>       the same for everybody who builds on the same row
 *   1. the block is stamped with the day of the row at the mark, which puts rivals into the same table partition
 *   2. it is inserted with the token: the server drops it, silently, when another block with the token is there
 *   3. the lane's last row is read back: our own means landed, any other that another writer was first
 *
 * Own is a row by its offset and its receipt. The offset alone does not do: a rival's block may end there too, and hold other events
 * (a source that counts its offsets itself) or one that this process took for a repeat and never showed to the rules.
 *
 * A repeat of a block after a lost answer has the same token and so changes nothing.
 */
export function createLaneChain<Row>(clickhouse: ClickHouse, table: ChainedTable<Row>): LaneChain {
  const name = clickhouse.table(table.name);
  const insert = insertStatement(clickhouse.database, table.name);
  const settings = { ...ONE_BLOCK, exclude_materialize_skip_indexes_on_insert: (table.notAtLanding ?? []).join(', ') };
  const tips = new Map<string, { tip: Tip; readAt: number }>();

  async function readTip(lane: Lane, from: number): Promise<Tip> {
    const [row] = await clickhouse.rows<{ offset: string; day: number; received_ms: string }>(
      `read the mark of ${table.name}`,
      `SELECT offset, toUInt16(toDate(received)) AS day, toUnixTimestamp64Milli(received) AS received_ms FROM ${name}
       WHERE topic = {topic:String} AND partition = {partition:UInt64} AND offset >= {from:UInt64}
       ORDER BY topic DESC, partition DESC, offset DESC LIMIT 1`,
      { params: { topic: lane.topic, partition: lane.partition, from: Math.max(from, 0) }, settings: READ_TIP },
    );
    const tip =
      row === undefined ? NOTHING : { offset: Number(row.offset), day: row.day, receivedMs: Number(row.received_ms) };
    tips.set(laneKey(lane), { tip, readAt: Date.now() });
    return tip;
  }

  async function land(block: ChainBlock, mark: number): Promise<Landed | Fenced> {
    const { lane, lastOffset } = block;
    const isOurs = (tip: Tip) => tip.offset === lastOffset && tip.receivedMs === block.receivedMs;
    const known = tips.get(laneKey(lane));
    const trusted = known !== undefined && known.tip.offset === mark && Date.now() - known.readAt < TIP_TRUSTED_MS;
    const base = trusted ? known.tip : await readTip(lane, mark);
    if (base.offset > mark) return { outcome: isOurs(base) ? 'landed' : 'fenced' };

    const landingDay = base.offset === mark ? base.day : 0;
    for (let attempt = 0; ; attempt++) {
      // A token whose rows are gone again (a source was removed) would block the lane for good: the next one of a fixed sequence is tried.
      if (attempt === MAX_TOKENS)
        throw new Error(`${table.name} takes no block after offset ${mark} of ${laneKey(lane)}`);
      const again = attempt === 0 ? '' : `/again:${attempt}`;
      const token = `${table.name}/${lane.topic}/${lane.partition}/after:${mark}${again}`;
      await clickhouse.insert(`land a block of ${table.name}`, insert, block.body(landingDay), {
        settings: { ...settings, insert_deduplication_token: token },
      });
      const tip = await readTip(lane, mark);
      if (isOurs(tip)) return { outcome: 'landed' };
      if (tip.offset > mark) break;
    }
    tips.delete(laneKey(lane));
    return { outcome: 'fenced' };
  }

  return { tip: (lane) => readTip(lane, 0), land };
}

/** The last row by the primary key: the end of each part that can hold it, not the whole lane. */
const READ_TIP = { optimize_read_in_order: 1, max_threads: 1, use_query_condition_cache: 0 } as const;

function laneKey(lane: Lane): string {
  return `${lane.partition}/${lane.topic}`;
}
