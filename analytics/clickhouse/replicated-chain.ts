import { LOCAL_TOPICS } from '#schemas/topics.ts';
import {
  type ChainBlock,
  chainTable,
  isTrusted,
  laneKey,
  MAX_TOKENS,
  type ReadMoment,
  readMoment,
  type Tip,
} from './chain-table.ts';
import type { ClickHouse, Replicas } from './client.ts';
import type { LaneChain } from './lane-chain.ts';
import { missingRows, requireMajority } from './majority.ts';
import type { Fenced, Landed, Lane } from './port.ts';
import type { ChainedTable } from './table.ts';

/**
 * Number of inserts with one token before a Kafka lane waits. Its rows are never removed, so the block becomes visible
 * later.
 */
const MAX_REPEATS = 4;

interface KnownTip {
  readonly tip: Tip;
  readonly readAt: ReadMoment;
  readonly epoch: number;
}

/**
 * The chain of `lane-chain.ts` on replicas. Deduplication tokens are compared across replicas, but a replica may lack
 * blocks that another has. Therefore:
 *
 * - The current replica catches up before a tip is used, and when no new row is visible after an insert.
 * - Inserts are acknowledged by a majority (`replicated-client.ts`). The acknowledgement of a repeat proves nothing:
 *   the server also sends it if the block is given up because its only replica was lost. The row is therefore read, and
 *   while it is missing, the block is sent again with the same token.
 * - A row that another process wrote, or that a failed insert left, may also be given up. It counts only if a majority
 *   of the replicas has it.
 */
export function createReplicatedChain<Row>(
  clickhouse: ClickHouse,
  replicas: Replicas,
  table: ChainedTable<Row>,
): LaneChain {
  const chain = chainTable(clickhouse, table);
  const tips = new Map<string, KnownTip>();
  /** Lanes with a failed insert after their last stored block. */
  const unsure = new Set<string>();

  async function readTip(lane: Lane, from: number): Promise<Tip> {
    const epoch = replicas.epoch();
    const readAt = readMoment();
    const tip = await chain.readTip(clickhouse, lane, from);
    tips.set(laneKey(lane), { tip, readAt, epoch });
    return tip;
  }

  async function caughtUpTip(lane: Lane, from: number): Promise<Tip> {
    for (;;) {
      const epoch = replicas.epoch();
      await replicas.catchUp(table.name);
      const tip = await readTip(lane, from);
      if (replicas.epoch() === epoch) return tip;
    }
  }

  function trustedTip(lane: Lane, mark: number): Tip | undefined {
    const known = tips.get(laneKey(lane));
    const isFresh = known !== undefined && isTrusted(known.readAt);
    return isFresh && known.epoch === replicas.epoch() && known.tip.offset === mark ? known.tip : undefined;
  }

  const confirm = (lane: Lane, tip: Tip) =>
    requireMajority(clickhouse, replicas, table.name, (server, signal) => chain.holds(server, lane, tip, signal));

  async function conclude(block: ChainBlock, tip: Tip, isSure: boolean): Promise<Landed | Fenced> {
    const key = laneKey(block.lane);
    if (tip.offset !== block.lastOffset || tip.receivedMs !== block.receivedMs) {
      tips.delete(key);
      return { outcome: 'fenced' };
    }
    if (!isSure || unsure.has(key)) await confirm(block.lane, tip);
    unsure.delete(key);
    return { outcome: 'landed' };
  }

  async function land(block: ChainBlock, mark: number): Promise<Landed | Fenced> {
    const { lane } = block;
    const base = trustedTip(lane, mark) ?? (await caughtUpTip(lane, mark));
    if (base.offset > mark) return conclude(block, base, false);
    const isLocal = LOCAL.has(lane.topic);
    // Trapline never removes rows of Kafka lanes. The lane is opened again from the rows that exist.
    if (base.offset < mark && !isLocal) return { outcome: 'fenced' };

    const landingDay = base.offset === mark ? base.day : 0;
    for (let attempt = 0; attempt < (isLocal ? 2 * MAX_TOKENS : MAX_REPEATS); attempt++) {
      // Each token is used twice. If no row exists after the second acknowledgement, the rows of the token were removed
      // with their source.
      await insert(block, mark, landingDay, isLocal ? Math.floor(attempt / 2) : 0);
      let tip = await readTip(lane, mark);
      if (tip.offset <= mark) tip = await caughtUpTip(lane, mark);
      if (tip.offset > mark) return conclude(block, tip, attempt === 0);
    }
    throw missingRows(`land a block of ${table.name}`, 'ROWS_NOT_VISIBLE');
  }

  async function insert(block: ChainBlock, mark: number, landingDay: number, again: number): Promise<void> {
    try {
      await chain.insert(block, mark, landingDay, again);
    } catch (error) {
      unsure.add(laneKey(block.lane));
      throw error;
    }
  }

  return {
    async tip(lane) {
      const tip = await caughtUpTip(lane, 0);
      if (tip.offset >= 0) await confirm(lane, tip);
      return tip;
    },
    land,
  };
}

/** Topics whose rows can be removed; see `remove-source.ts`. */
const LOCAL: ReadonlySet<string> = new Set(Object.values(LOCAL_TOPICS));
