import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { startPostgresPair } from './postgres-pair.ts';

const pair = await startPostgresPair();
afterAll(() => pair.stop());

async function ask<T extends object>(url: string, text: string): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

test('the servers change roles at each fail-over, and have everything that was confirmed', async () => {
  const first = pair.primary.url;
  await ask(first, 'CREATE TABLE kept (n int)');
  for (let n = 1; n <= 2; n++) {
    await ask(pair.primary.url, `INSERT INTO kept VALUES (${n})`);
    await pair.failOver();
    expect(pair.primary.url === first).toBe(n === 2);
    await ask(pair.primary.url, `INSERT INTO kept VALUES (${10 * n})`);
  }
  for (const { url } of [pair.primary, pair.standby])
    expect(await ask(url, 'SELECT n FROM kept ORDER BY n')).toEqual([1, 2, 10, 20].map((n) => ({ n })));
});

test('a killed server restarts in its previous role', async () => {
  await pair.standby.kill9();
  await pair.standby.restart();
  await pair.synchronous();
  await pair.primary.kill9();
  await pair.primary.restart();
  await pair.synchronous();
  await ask(pair.primary.url, 'INSERT INTO kept VALUES (30)');
  expect(await ask(pair.standby.url, 'SELECT n FROM kept WHERE n = 30')).toEqual([{ n: 30 }]);
});
