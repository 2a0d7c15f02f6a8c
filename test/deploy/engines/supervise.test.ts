import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startClickHouseEngine } from '#deploy/engines/clickhouse.ts';
import { freePort } from '#deploy/engines/free-port.ts';
import { supervise } from '#deploy/engines/supervise.ts';
import { waitFor } from '#test/support/wait-for.ts';

const home = await mkdtemp(join(tmpdir(), 'trapline-supervised-'));
afterAll(() => rm(home, { recursive: true, force: true }));

test('an engine that is killed comes back at the same address, one that is stopped does not', async () => {
  const options = { dataDir: home, port: await freePort(), password: 'the-same' };
  const watch = await supervise(() => startClickHouseEngine(options));
  const first = watch.current();
  process.kill(first.pid, 'SIGKILL');
  await waitFor('the next engine', () => watch.restarts === 1 && watch.current().pid !== first.pid);
  expect(watch.current().url).toBe(first.url);
  await watch.stop();
  expect(await watch.current().exited).toMatchObject({ expected: true });
  expect(watch.restarts).toBe(1);
});

test('what never starts is given up with its error', async () => {
  const exit = { expected: false, code: 1, signal: null, stderr: '' };
  let starts = 0;
  const watch = await supervise(async () => {
    if (starts++ > 0) throw new Error('no disk');
    return { pid: 1, exited: Promise.resolve(exit), stop: async () => {} };
  });
  expect(await Promise.race([watch.gaveUp, waitFor('a second try', () => starts > 2)])).toBe(true);
  await watch.stop();
});
