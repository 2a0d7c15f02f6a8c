import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { waitFor } from '../support/wait-for.ts';
import { landedEvents } from './fresh-database.ts';
import { type Stretch, WARM } from './warm-stretch.ts';

/**
 * Waits until all events have landed, in addition to the `before` rows that existed. Returns the marks at both ends of
 * the warm stretch. Between them it polls rarely, because polling takes time from the server. Each mark is at most 25
 * ms late, and a block lands about every 100 ms.
 */
export async function watchLanding<Sample>(
  clickhouse: ClickHouse,
  events: number,
  look: () => Sample,
  timeoutMs: number,
  before = 0,
): Promise<Stretch<Sample>> {
  const reach = (share: number, everyMs: number) =>
    waitFor(
      `${Math.round(share * 100)} % of all events to land`,
      async () => {
        const landed = (await landedEvents(clickhouse)) - before;
        return landed >= events * share ? { events: landed, atMs: Date.now(), sample: look() } : undefined;
      },
      { timeoutMs, everyMs },
    );
  const from = await reach(WARM.from, 25);
  await reach(WARM.to - 0.1, 250);
  const to = await reach(WARM.to, 25);
  await reach(1, 25);
  return { from, to };
}
