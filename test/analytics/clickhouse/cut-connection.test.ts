import { request } from 'node:http';
import { expect, test } from 'vitest';
import { chainBlock } from '#analytics/clickhouse/block-builder.ts';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { insertStatement } from '#analytics/clickhouse/table.ts';
import { useClickHouse } from '#test/support/use-services.ts';
import { numbered, offsets, upTo } from './fixture.ts';

const service = await useClickHouse();

/**
 * Sends the first `bytes` of an insert with the deduplication token of a lane's first block, then closes the connection
 * before the body is complete.
 */
async function cutOff(topic: string, body: Buffer, bytes: number): Promise<void> {
  const url = new URL(service.url);
  url.searchParams.set('query', insertStatement(service.database, 'events'));
  url.searchParams.set('insert_deduplication_token', `events/${topic}/0/after:-1`);
  url.searchParams.set('async_insert', '0');
  const headers = { 'x-clickhouse-user': service.user, 'x-clickhouse-key': service.password };
  await new Promise<void>((resolve) => {
    const sending = request(url, { method: 'POST', headers });
    sending.on('error', () => {});
    sending.on('close', resolve);
    sending.write(body.subarray(0, bytes), () => sending.destroy());
  });
}

test.each([0.2, 0.9, 1])(
  'an insert cut off at %d of its bytes stores all of the block or nothing, and then stores it once',
  async (part) => {
    const clickhouse = createClickHouse(service);
    await migrate(clickhouse);
    const store = createLandingStore({ clickhouse });
    const lane = { topic: `cut-${part}`, partition: 0 };
    const block = store.openEvents(lane, Date.now());
    for (const offset of upTo(9_999)) block.append(numbered(offset));
    const body = Buffer.concat([...chainBlock(block).body(0)]);
    await cutOff(lane.topic, body, Math.floor(body.length * part));
    expect([0, 10_000]).toContain((await offsets(clickhouse, lane)).length);
    expect(await store.landEvents(block, -1)).toEqual({ outcome: 'landed' });
    expect(await offsets(clickhouse, lane)).toEqual(upTo(9_999));
    await clickhouse.close();
  },
);
