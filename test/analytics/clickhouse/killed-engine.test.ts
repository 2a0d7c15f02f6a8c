import { expect, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { isTemporary } from '#analytics/clickhouse/failure.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { startClickHouse } from '#test/support/services/clickhouse.ts';
import { landRange, offsets, upTo } from './fixture.ts';

/** Kills the engine by SIGKILL at random moments during inserts. The writer retries each block until it has landed. */
test('an engine killed during inserts keeps every acknowledged block completely, and repeats duplicate nothing', async () => {
  const engine = await startClickHouse();
  const clickhouse = createClickHouse({ ...engine, database: 'trapline' });
  try {
    await migrate(clickhouse);
    const store = createLandingStore({ clickhouse });
    const lane = { topic: 'killed', partition: 0 };
    const size = 5_000;
    let mark = -1;
    let failures = 0;
    // A retry sends the same block: same last offset, same receive time.
    const receivedMs = Date.now();
    for (let round = 0; round < 4; round++) {
      const died = new Promise<void>((resolve, reject) => {
        setTimeout(
          () =>
            engine
              .kill9()
              .then(() => engine.restart())
              .then(resolve, reject),
          15 + round * 35,
        );
      });
      let over = false;
      void died.then(
        () => {
          over = true;
        },
        () => {},
      );
      while (!over) {
        try {
          const answer = await landRange(store, lane, mark + 1, mark + size, mark, receivedMs);
          expect(answer.outcome).toBe('landed');
          mark += size;
        } catch (error) {
          if (!isTemporary(error)) throw error;
          failures++;
          await died;
        }
      }
      await died;
      const found = await offsets(clickhouse, lane);
      // Only whole blocks are stored. The block whose response was lost may be stored already.
      expect(found.length % size).toBe(0);
      expect(found.length).toBeGreaterThanOrEqual(mark + 1);
      expect(found.length).toBeLessThanOrEqual(mark + 1 + size);
    }
    expect((await landRange(store, lane, mark + 1, mark + size, mark, receivedMs)).outcome).toBe('landed');
    expect(await offsets(clickhouse, lane)).toEqual(upTo(mark + size));
    expect(failures).toBeGreaterThan(0);
  } finally {
    await clickhouse.close();
    await engine.stop();
  }
});
