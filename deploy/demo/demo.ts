import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { removeSource } from '#analytics/clickhouse/remove-source.ts';
import type { LocalRole } from '../processes/local-role.ts';
import { DEMO_HOST, DEMO_TOPIC, replayDemo } from './replay.ts';

/**
 * Replays and removes the bundled capture, one operation at a time. Each replay has a lane, which is closed when it
 * ends.
 */
export function createDemo(clickhouse: ClickHouse, local: LocalRole) {
  let busy: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = busy.then(work, work);
    busy = turn.catch(() => {});
    return turn;
  };
  return {
    replay: () =>
      inTurn(async () => {
        const source = local.openSource(DEMO_TOPIC);
        try {
          return await replayDemo(source.submit, Date.now());
        } finally {
          await source.close();
        }
      }),
    remove: () => inTurn(() => removeSource(clickhouse, DEMO_TOPIC, DEMO_HOST)),
  };
}
