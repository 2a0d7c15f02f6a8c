import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { detection } from '#test/analytics/clickhouse/fixture.ts';
import { randomName } from '#test/support/random-name.ts';
import { type SupervisedProcess, supervise } from '#test/support/services/supervised-process.ts';
import { useClickHouse, usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

const WORKER = fileURLToPath(new URL('campaign-worker.ts', import.meta.url));
const CAMPAIGNS = 240;
/** Number of opened cases between two kills. Each kill hits a process that is opening cases. */
const CASES_PER_KILL = 12;

test('each campaign has exactly one case after processes that open cases were killed', async () => {
  const service = await useClickHouse();
  const { database, url } = await usePostgres();
  const clickhouse = createClickHouse(service);
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-campaigns-'));
  const start = (): SupervisedProcess =>
    supervise({
      command: process.execPath,
      args: [WORKER, url, JSON.stringify(service)],
      logFile: path.join(folder, `${randomName('worker')}.log`),
    });
  const ids = Array.from({ length: CAMPAIGNS }, (_, index) => `det_${String(index + 1).padStart(32, '0')}`);
  const opened = async () => {
    const { count } = await database
      .selectFrom('cases')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  const workers: SupervisedProcess[] = [];
  let kills = 0;
  try {
    await migrate(clickhouse);
    await createLandingStore({ clickhouse }).landDetections(
      ids.map((id) =>
        detection({
          id,
          rule: { id: 'fleet-scan', version: 2, name: 'Scan spread over hosts' },
          hostname: null,
          hosts: ['web-1', 'web-2'],
          hostsTotal: 2,
          procname: 'httpd',
        }),
      ),
    );
    // Starts two processes, as in an installation with two processes that run jobs.
    workers.push(start(), start());
    for (let wanted = CASES_PER_KILL; wanted < CAMPAIGNS; wanted += CASES_PER_KILL) {
      await waitFor(`${wanted} cases`, async () => (await opened()) >= wanted, { timeoutMs: 120_000 });
      await workers.shift()?.kill9();
      kills += 1;
      workers.push(start());
    }
    await waitFor('a case of each campaign', async () => (await opened()) >= CAMPAIGNS, { timeoutMs: 120_000 });
    for (const worker of workers) expect(worker.running, worker.output()).toBe(true);
  } finally {
    await Promise.all(workers.map((worker) => worker.kill9()));
    await clickhouse.close();
    await rm(folder, { recursive: true, force: true });
  }

  expect(kills).toBeGreaterThan(10);
  const cases = await database.selectFrom('cases').select(['id', 'campaignId']).execute();
  expect(cases.map(({ campaignId }) => campaignId).sort()).toEqual(ids);
  // Each case exists exactly once and is complete: its detection, its timeline and its audit log entry exist once.
  const caseIds = cases.map(({ id }) => id).sort();
  const linked = await database.selectFrom('caseDetections').select(['caseId', 'detectionId']).execute();
  expect(linked.map(({ caseId }) => caseId).sort()).toEqual(caseIds);
  const entries = await database.selectFrom('caseEvents').select(['caseId', 'kind']).execute();
  expect(entries.map(({ caseId }) => caseId).sort()).toEqual(caseIds);
  const audited = await database.selectFrom('auditLog').select('target').where('action', '=', 'case.create').execute();
  expect(audited).toHaveLength(CAMPAIGNS);
});
