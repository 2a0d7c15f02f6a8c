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
import type { ClickHouse } from './client.ts';
import type { Fenced, Landed, Lane } from './port.ts';
import type { ChainedTable } from './table.ts';

export interface LaneChain {
  tip(lane: Lane): Promise<Tip>;
  land(block: ChainBlock, mark: number): Promise<Landed | Fenced>;
}

/**
 * Appends blocks to the lanes of one table. Of any number of concurrent writers, exactly one wins each step.
 *
 *   token = <table>/<topic>/<partition>/after:<mark>       the same for all writers that append after the same row
 *   1. the block gets the day of the row at the mark, so the blocks of all these writers are in one table partition
 *   2. the block is inserted with the token: the server silently drops it if it has another block with this token
 *   3. the last row of the lane is read: if it belongs to this block, the block is stored; else another writer was
 *      first
 *
 * A row belongs to this block if both its offset and its time of receipt match. The offset alone is not enough. A block
 * of another writer may end at the same offset and contain other events, if the source counts its offsets itself. It
 * may also contain events that this process treated as repeats and did not pass to the rules.
 *
 * A block that is sent again after a lost response has the same token. It changes nothing.
 */
export function createLaneChain<Row>(clickhouse: ClickHouse, table: ChainedTable<Row>): LaneChain {
  const chain = chainTable(clickhouse, table);
  const tips = new Map<string, { tip: Tip; readAt: ReadMoment }>();

  async function readTip(lane: Lane, from: number): Promise<Tip> {
    const readAt = readMoment();
    const tip = await chain.readTip(clickhouse, lane, from);
    tips.set(laneKey(lane), { tip, readAt });
    return tip;
  }

  async function land(block: ChainBlock, mark: number): Promise<Landed | Fenced> {
    const { lane, lastOffset } = block;
    const isOurs = (tip: Tip) => tip.offset === lastOffset && tip.receivedMs === block.receivedMs;
    const known = tips.get(laneKey(lane));
    const trusted = known !== undefined && known.tip.offset === mark && isTrusted(known.readAt);
    const base = trusted ? known.tip : await readTip(lane, mark);
    if (base.offset > mark) return { outcome: isOurs(base) ? 'landed' : 'fenced' };

    const landingDay = base.offset === mark ? base.day : 0;
    for (let attempt = 0; ; attempt++) {
      // A token whose rows were removed with their source would block the lane forever. The next token of a fixed
      // sequence is tried.
      if (attempt === MAX_TOKENS)
        throw new Error(`${table.name} takes no block after offset ${mark} of ${laneKey(lane)}`);
      await chain.insert(block, mark, landingDay, attempt);
      const tip = await readTip(lane, mark);
      if (isOurs(tip)) return { outcome: 'landed' };
      if (tip.offset > mark) break;
    }
    tips.delete(laneKey(lane));
    return { outcome: 'fenced' };
  }

  return { tip: (lane) => readTip(lane, 0), land };
}
