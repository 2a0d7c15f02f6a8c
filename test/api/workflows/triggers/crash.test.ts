import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { detection } from '#test/analytics/clickhouse/fixture.ts';
import { randomName } from '#test/support/random-name.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { type SupervisedProcess, supervise } from '#test/support/services/supervised-process.ts';
import { useClickHouse, usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { executionsOf, release, scheduled } from './trigger-fixture.ts';

const PROCESS = fileURLToPath(new URL('trigger-process.ts', import.meta.url));
const folder = await mkdtemp(path.join(tmpdir(), 'trapline-triggers-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('after repeated kills of processes, a detection starts one execution, and so does every published revision', async () => {
  const { url, database } = await usePostgres();
  const service = await useClickHouse();
  const clickhouse = createClickHouse(service);
  await migrate(clickhouse);
  const store = createLandingStore({ clickhouse });
  const { workflowId } = await release(
    database,
    scheduled({ on: { one: { with: { type: 'trapline.detection.(opened|grown)' } } } }),
  );
  const start = (): SupervisedProcess =>
    supervise({
      command: process.execPath,
      args: [PROCESS, url, JSON.stringify(service)],
      logFile: path.join(folder, `${randomName('triggers')}.log`),
    });

  const processes = [start(), start()];
  await waitFor('the trigger and the cursor', async () => {
    const [trigger, cursor] = await Promise.all([
      database.selectFrom('workflowTriggers').select('id').executeTakeFirst(),
      database.selectFrom('outputCursors').select('name').executeTakeFirst(),
    ]);
    return trigger !== undefined && cursor !== undefined;
  });
  const random = seededRandom(5);
  const count = 60;
  const ids = Array.from({ length: count }, (_, at) => `det_${String(at).padStart(32, '0')}`);
  for (let round = 1; round <= 4; round += 1) {
    await store.landDetections(
      ids.filter((_, at) => at % round === 0).map((id) => detection({ id, revision: round, hostname: `h-${id}` })),
    );
    const victim = Math.floor(random.next() * processes.length);
    await processes[victim]?.kill9();
    processes[victim] = start();
  }
  const opened = () =>
    executionsOf(database, workflowId).then((rows) =>
      rows.map(
        ({ triggerInput }) =>
          (triggerInput as { id: string; type: string; subject: string }[])[0] ?? { id: '', type: '', subject: '' },
      ),
    );
  await waitFor('every detection, and all that grew in their last revision', async () => {
    const seen = new Set((await opened()).map(({ id }) => id));
    const lastOf = (at: number) => [4, 3, 2, 1].find((round) => at % round === 0) ?? 1;
    return ids.every((id, at) => seen.has(`${id}:${lastOf(at)}`));
  });
  await Promise.all(processes.map((each) => each.kill9()));
  await clickhouse.close();
  const events = await opened();
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  const begun = events.filter(({ type }) => type === 'trapline.detection.opened').map(({ subject }) => subject);
  expect(begun.sort()).toEqual(ids);
});
