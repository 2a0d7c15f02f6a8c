import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { runAgentApp } from '#test/api/agents/agent-app.ts';
import { randomName } from '#test/support/random-name.ts';
import { type SupervisedProcess, supervise } from '#test/support/services/supervised-process.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { createWorld } from './executions-world.ts';

const WORKER = fileURLToPath(new URL('agents-worker.ts', import.meta.url));
const app = await runAgentApp();
const call = app.operator;
await createWorld(app.database);
const logs = await mkdtemp(path.join(tmpdir(), 'trapline-approval-'));
afterAll(() => rm(logs, { recursive: true, force: true }));

const start = (): SupervisedProcess =>
  supervise({
    command: process.execPath,
    args: [WORKER, app.databaseUrl, app.folder, '2000'],
    logFile: path.join(logs, `${randomName('agents')}.log`),
  });

it('a run that waits for approvals survives the kill of its worker, and each approved call is made once', {
  timeout: 300_000,
}, async () => {
  const config = {
    permissions: {
      rules: [
        { tool: 'files.*', decision: 'allow' },
        { tool: 'workspace.write', decision: 'ask' },
      ],
    },
  };
  const agent = '/api/v1/agents/asking';
  await call('POST', '/api/v1/agents', { name: 'asking', slug: 'asking', config });
  const script = `await tools.files.write({ path: 'before.txt', content: 'kept' });
    const versions = [];
    for (const n of [1, 2, 3]) versions.push((await tools.workspace.write({ path: 'n.txt', content: String(n) })).version);
    versions`;
  await call('PUT', `${agent}/files?path=agent.js`, { content: script });
  const id = (await call('POST', `${agent}/run`, {})).body.executionId as string;
  const decided: string[] = [];
  for (let n = 0; n < 3; n++) {
    const worker = start();
    try {
      const wait = await waitFor(
        'the next call to wait',
        async () => {
          const { data } = (await call('GET', `/api/v1/waits?execution=${id}`)).body;
          return data.find((one: { wait: string }) => !decided.includes(one.wait));
        },
        { timeoutMs: 120_000, everyMs: 200 },
      );
      await worker.kill9();
      decided.push(wait.wait);
      const answer = await call('POST', '/api/v1/waits/decide', { executionId: id, wait: wait.wait, approved: true });
      expect(answer.body).toEqual({ outcome: 'approved' });
    } finally {
      await worker.kill9();
    }
  }
  const last = start();
  try {
    const execution = await waitFor(
      'the run to end',
      async () => {
        const found = (await call('GET', `/api/v1/agents/executions/${id}`)).body.execution;
        return found.completedAt !== null && found;
      },
      { timeoutMs: 120_000, everyMs: 200 },
    );
    // Versions 1 and 2 are the starter files and the script. Each call created exactly one version.
    expect(execution).toMatchObject({ status: 'completed', output: [3, 4, 5] });
  } finally {
    await last.kill9();
  }
  expect((await call('GET', `/api/v1/agents/executions/${id}/files/output/before.txt`)).text).toBe('kept');
  expect((await call('GET', agent)).body.agent.latestVersion).toBe(5);
});
