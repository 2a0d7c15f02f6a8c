import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { isTemporary } from '#analytics/clickhouse/failure.ts';
import { type ClickHouseEngine, startClickHouseEngine } from '#deploy/engines/clickhouse.ts';
import { askEngine } from '#deploy/engines/clickhouse-request.ts';
import { type HealthCheck, type Supervision, supervise } from '#deploy/engines/supervise.ts';
import { waitFor } from '#test/support/wait-for.ts';

const home = await mkdtemp(join(tmpdir(), 'trapline-supervised-'));
afterAll(() => rm(home, { recursive: true, force: true }));

const health: HealthCheck<ClickHouseEngine> = {
  check: (engine, signal) => engine.check(signal),
  everyMs: 50,
  timeoutMs: 2_000,
  failures: 2,
};

test('replaces a killed engine, which the same client reaches, and does not replace a stopped one', async () => {
  const watch = await supervise(() => startClickHouseEngine({ dataDir: join(home, 'killed'), password: 'the-same' }));
  const first = watch.current();
  const clickhouse = clientOf(watch);
  await clickhouse.rows('ask', 'SELECT 1');
  process.kill(first.pid, 'SIGKILL');
  const failures: unknown[] = [];
  await waitFor('the next engine', async () => {
    await clickhouse.rows('ask', 'SELECT 1').catch((error: unknown) => failures.push(error));
    return watch.restarts === 1 && watch.current().pid !== first.pid;
  });
  await clickhouse.rows('ask', 'SELECT 1');
  expect(failures.filter((error) => !isTemporary(error))).toEqual([]);
  await clickhouse.close();
  await watch.stop();
  expect(await watch.current().exited).toMatchObject({ expected: true });
  expect(watch.restarts).toBe(1);
});

test.each<[string, (engine: ClickHouseEngine) => unknown]>([
  ['is stopped by a signal', (engine) => process.kill(engine.pid, 'SIGSTOP')],
  ['closed its listener', (engine) => askEngine(engine, 'SYSTEM STOP LISTEN HTTP', AbortSignal.timeout(30_000))],
])('replaces an engine that lives but %s', async (_, freeze) => {
  const options = { dataDir: join(home, 'frozen'), password: 'the-same', morePrivileges: ['SYSTEM LISTEN ON *.*'] };
  const watch = await supervise(() => startClickHouseEngine(options), undefined, health);
  const first = watch.current();
  const clickhouse = clientOf(watch);
  await freeze(first);
  expect(await first.exited).toMatchObject({ expected: false, signal: 'SIGKILL' });
  await waitFor('the next engine', () => clickhouse.rows('ask', 'SELECT 1'));
  expect(watch.current().pid).not.toBe(first.pid);
  await clickhouse.close();
  await watch.stop();
});

test('does not replace an engine that responds, whatever the response', async () => {
  let checks = 0;
  const watch = await supervise(() => startClickHouseEngine({ dataDir: join(home, 'well') }), undefined, {
    ...health,
    everyMs: 1,
    async check(engine, signal) {
      checks++;
      await askEngine(engine, 'SELECT throwIf(1)', signal);
    },
  });
  await waitFor('some checks', () => checks > 20);
  expect(watch.restarts).toBe(0);
  await watch.stop();
});

test('gives up on an engine that never starts, with its error', async () => {
  const exit = { expected: false, code: 1, signal: null, stderr: '' };
  let starts = 0;
  const watch = await supervise(async () => {
    if (starts++ > 0) throw new Error('no disk');
    return { pid: 1, exited: Promise.resolve(exit), stop: async () => {}, kill: () => {} };
  });
  expect(await Promise.race([watch.gaveUp, waitFor('a second try', () => starts > 2)])).toBe(true);
  await watch.stop();
});

function clientOf(watch: Supervision<ClickHouseEngine>) {
  return createClickHouse({ ...watch.current(), socketPath: () => watch.current().socketPath, database: 'default' });
}
