import { type ChainBlock, chainTable, laneKey, MAX_TOKENS, TIP_TRUSTED_MS, type Tip } from './chain-table.ts';
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
  const chain = chainTable(clickhouse, table);
  const tips = new Map<string, { tip: Tip; readAt: number }>();

  async function readTip(lane: Lane, from: number): Promise<Tip> {
    const tip = await chain.readTip(clickhouse, lane, from);
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
