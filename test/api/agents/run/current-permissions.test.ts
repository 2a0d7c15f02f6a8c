import { expect, it } from 'vitest';
import { permissionsOf } from '#api/agents/permissions/decide-tool.ts';
import { createCurrentPermissions } from '#api/agents/run/current-permissions.ts';
import { guardTools } from '#api/agents/run/guard-tools.ts';
import { noJournal } from '#api/agents/run/journal.ts';
import type { Tool } from '#api/agents/run/tool.ts';
import { insertAgent, updateAgent } from '#api/agents/tables/agents.ts';
import { randomId } from '#api/executions/random-id.ts';
import { usePostgres } from '#test/support/use-services.ts';

const { database } = await usePostgres();
const signal = AbortSignal.timeout(60_000);
const allowed = { permissions: { default: 'allow' as const } };

it('a permission withdrawn during a run applies to later calls within a second', async () => {
  const row = {
    id: randomId('awf_'),
    slug: 'current',
    name: 'n',
    description: '',
    ownerId: null,
    visibility: 'private' as const,
  };
  await insertAgent(database, { ...row, config: allowed });
  let time = 0;
  let calls = 0;
  const tool = {
    name: 'http.fetch',
    check: (given: unknown) => given,
    call: async () => (calls += 1),
  } as unknown as Tool;
  const guarded = (canWait: boolean) =>
    guardTools([tool], {
      permissions: [permissionsOf(allowed)],
      readCurrent: createCurrentPermissions({ database, now: () => time }, row.id, permissionsOf(allowed)),
      journal: noJournal(),
      ask: async () => ({ approved: true }) as never,
      canWait,
    })[0] as Tool;
  const call = guarded(false);
  await call.call({}, signal, 0);
  await updateAgent(database, row.id, { config: { permissions: { default: 'deny' } } });
  await call.call({}, signal, 0);
  time += 1_000;
  await expect(call.call({}, signal, 0)).rejects.toThrow('the permissions of the agent deny this call of http.fetch');
  // Without a journal a run cannot wait: a call that now needs approval is denied, otherwise an approval is requested.
  await updateAgent(database, row.id, { config: { permissions: { default: 'ask' } } });
  time += 1_000;
  await expect(call.call({}, signal, 0)).rejects.toThrow('deny this call');
  const waiting = guarded(true);
  time += 1_000;
  await waiting.call({}, signal, 0);
  expect(calls).toBe(3);
});
