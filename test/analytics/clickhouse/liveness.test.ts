import { afterAll, describe, expect, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { isTemporary } from '#analytics/clickhouse/failure.ts';
import { startClickHouse } from '#test/support/services/clickhouse.ts';

const service = await startClickHouse();
const clickhouse = createClickHouse({
  ...service,
  database: 'default',
  liveness: { suspectAfterMs: 300, pingMs: 500 },
});
afterAll(async () => {
  await clickhouse.close();
  await service.stop();
});

describe('a read from a server that', () => {
  test('works on it for long waits for it', async () => {
    const rows = await clickhouse.rows('wait', 'SELECT sleepEachRow(0.5) AS waited FROM numbers(3)');
    expect(rows).toHaveLength(3);
  });

  test('is frozen fails temporarily, and works when the server continues', async () => {
    await service.freeze();
    try {
      const read = clickhouse.rows('answer', 'SELECT 1');
      await expect(read).rejects.toSatisfy(isTemporary);
      await expect(read).rejects.toMatchObject({ code: 'ETIMEDOUT' });
      const stream = clickhouse.bytes('answer', 'SELECT 1 FORMAT TSV')[Symbol.asyncIterator]().next();
      await expect(stream).rejects.toSatisfy(isTemporary);
    } finally {
      await service.thaw();
    }
    expect(await clickhouse.rows('answer', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
