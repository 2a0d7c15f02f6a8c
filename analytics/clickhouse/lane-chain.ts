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
 * Appends blocks to the lanes of one table so that of any number of writers exactly one wins each step.
 *
 *   token = <table>/<topic>/<partition>/after:<mark>       the same for all writers that build on the same row
 *   1. the block gets the day of the row at the mark, which puts the blocks of all these writers into one table partition
 *   2. it is inserted with the token: the server silently drops it when it has another block with the token
 *   3. the last row of the lane is read: if it is of this block, the block has landed; otherwise another writer was first
 *
 * A row is of this block when offset and time of receipt agree. The offset is not enough: a block of another writer may end at the same one and hold
 * other events (of a source that counts its offsets itself), or events that this process took for repeats and did not pass to the rules.
 *
 * A block that is sent again after a lost response has the same token, and changes nothing.
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
      // A token whose rows are gone again (a source was removed) would block the lane for good: the next one of a fixed sequence is tried.
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
