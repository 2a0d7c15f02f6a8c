import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { at, trap } from '#analytics/detections/rule-case.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { single } from '#test/analytics/detections/user-rules/rules.ts';
import { analystsGuard, serviceDeps } from '#test/api/detections/triage/analysts.ts';
import { startApp } from '#test/api/running-app.ts';
import { openTestLane } from '#test/support/lane-fixture.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { runCommand } from '../run-command.ts';

const { clickhouse } = await useDatabase();
const { database } = await usePostgres();
const { app, url } = await startApp({
  deps: { clickhouse, guard: analystsGuard(), changes: serviceDeps(clickhouse, database) },
});
const folder = await mkdtemp(join(tmpdir(), 'trapline-pushed-rules-'));
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const NGINX = single('s: { procname: nginx }\ncondition: s');
const SSHD = single('s: { procname: sshd }\ncondition: s').replace('a_rule', 'other_rule');

/** Runs `trapline rules …` with an API key, by default that of an administrator. */
function rules(args: readonly string[], key = 'admin') {
  return runCommand(['rules', ...args], { environment: { TRAPLINE_URL: url, TRAPLINE_API_KEY: key } });
}

async function ruleFile(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

it('pushes rules as versions, skips one whose case fails, and exports the rules of the server', async () => {
  const nginx = await ruleFile('nginx.yaml', NGINX);
  const failing = await ruleFile(
    'failing.yaml',
    `${SSHD}tests:\n  - { name: other, events: [{ procname: b }], detections: 1 }\n`,
  );
  const mixed = await rules(['push', nginx, failing]);
  expect(mixed.code).toBe(1);
  expect(mixed.stderr).toContain('other: 1 detection expected, 0 found');
  const pushed = mixed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(pushed).toEqual([
    { id: 'user-a-rule', version: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), outcome: 'created' },
  ]);
  const again = await rules(['push', nginx]);
  expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { version: 1, outcome: 'unchanged' }]);
  const changed = await rules(['push', await ruleFile('nginx.yaml', `${NGINX}level: high\n`)]);
  expect(JSON.parse(changed.stdout)).toMatchObject({ version: 2, outcome: 'updated' });
  await rules(['push', await ruleFile('sshd.yaml', SSHD)]);

  const exported = await rules(['export', '--format', 'yaml']);
  expect(exported).toMatchObject({ code: 0, stderr: '', stdout: `${NGINX}level: high\n---\n${SSHD}` });
});

it('reports that the key may not push rules', async () => {
  const { code, stdout, stderr } = await rules(['push', await ruleFile('refused.yaml', NGINX)], 'ann');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('refused.yaml:');
});

it('prints what a rule would have detected in the events of the server', async () => {
  const events = Array.from({ length: 3 }, (_, i) =>
    at(i * 60, trap(0x40_1000 + i, { procname: 'nginx', pid: 9 + i })),
  );
  const { lane, send } = openTestLane(clickhouse, { topic: 'local.pushed', counted: true });
  await send(
    events.map(({ event }) => ({ offset: -1, key: null, value: Buffer.from(stringifyExact(event)), ingestId: '' })),
  );
  await lane.close();
  const file = await ruleFile('tried.yaml', NGINX);
  const time = ['--from', '2020-01-01T00:00:00Z', '--to', '2030-01-01T00:00:00Z'];
  const { code, stdout, stderr } = await rules(['backtest', file, ...time]);
  expect(code).toBe(0);
  // A back-test that takes longer than two seconds logs its progress.
  expect(stderr).toMatch(/^(?:trapline: judged 100 % \(3 of 3\)\n)?$/);
  expect(JSON.parse(stdout)).toMatchObject({ events: 3, judged: 3, complete: true, detections: 1, silenced: 0 });
  const early = await rules(['backtest', file, '--from', time[3] as string, '--to', time[1] as string]);
  expect(early.code).toBe(2);
  expect(early.stderr).toContain('from');
});
