import { afterAll, afterEach, expect, test } from 'vitest';
import { MAX_CAUSATION } from '#api/executions/engine/causation.ts';
import type { WorkflowDefinition } from '#api/executions/engine/contract/port.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { fireEvents } from '#api/workflows/triggers/event-triggers.ts';
import { syncTriggers } from '#api/workflows/triggers/sync-triggers.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { createEngineFixture, runChild, workflow } from '../../executions/engine/engine-fixture.ts';
import { executionsOf, release, triggerDeps } from './trigger-fixture.ts';

const { url, database } = await usePostgres();
const deps = triggerDeps(database);
const engine = createEngineFixture(database, url);
engine.work();
afterAll(async () => {
  await engine.stopAll();
  await deps.close();
});
afterEach(async () => {
  await database.deleteFrom('workflowTriggers').execute();
});

const raise = (detail: string): JsonValue => ({
  raise: { error: { type: 'https://example.org/errors/broken', status: 500, title: 'Broken', detail } },
});
const owner = async (number: number) =>
  (
    await database
      .insertInto('users')
      .values({ username: `hook${number}`, email: `hook${number}@example.org`, passwordHash: null, role: 'user' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

/** Releases a workflow that the engine finds, and arms its triggers. */
async function put(definition: WorkflowDefinition, ownerId: string | null = null) {
  const released = await release(database, definition, { ownerId });
  engine.definitions.set(released.versionId, definition);
  await syncTriggers(database, Date.now);
  return released;
}
const hook = (name: string, ownerId: string | null = null) =>
  put(
    {
      ...workflow({ note: { set: { seen: true } } }),
      schedule: { on: { one: { with: { type: 'trapline.execution.failed', name } } } },
    },
    ownerId,
  );
const run = (of: { workflowId: string; versionId: string }, ownerId: string | null = null) =>
  engine.run(of.versionId, { workflowId: of.workflowId, ownerId });
const fireAll = async () => {
  while (await fireEvents(deps));
};

test('a failed execution starts the workflows that wait for it, once, with the reason as input', async () => {
  const broken = await put(workflow({ break: raise('the disk is full') }));
  const fine = await put(workflow({ nothing: { set: {} } }));
  const [of, all, other] = [await hook(broken.slug), await hook('.*'), await hook('another-workflow')];
  const [failed, ended] = [await run(broken), await run(fine)];
  await engine.until(failed, 'failed');
  await engine.until(ended, 'completed');
  await Promise.all([fireAll(), fireAll()]);
  await fireAll();
  const [begun, ...more] = await executionsOf(database, of.workflowId);
  expect(more).toEqual([]);
  expect(begun).toMatchObject({
    triggerType: 'event',
    triggerInput: [
      {
        type: 'trapline.execution.failed',
        source: 'trapline://executions',
        subject: failed,
        kind: 'workflow',
        name: broken.slug,
        status: 'failed',
        trigger: 'api',
        data: { executionId: failed, id: broken.workflowId, error: { title: 'Broken', detail: 'the disk is full' } },
      },
    ],
  });
  expect(await executionsOf(database, all.workflowId)).toHaveLength(1);
  expect(await executionsOf(database, other.workflowId)).toEqual([]);
  await engine.until(begun?.id ?? '', 'completed');
});

test('a rejected execution starts them too; the failure of an awaited child goes to its parent', async () => {
  const missing = await put(workflow({ nothing: { set: {} } }));
  engine.definitions.delete(missing.versionId);
  const child = await put(workflow({ break: raise('in the child') }));
  const parent = await put(
    workflow({ careful: { try: [{ ask: runChild(child.versionId) }], catch: { do: [{ mended: { set: {} } }] } } }),
  );
  const seen = await hook('.*');
  const [rejected, careful] = [await run(missing), await run(parent)];
  await engine.until(rejected, 'rejected');
  await engine.until(careful, 'completed');
  await fireAll();
  const begun = await executionsOf(database, seen.workflowId);
  expect(begun.map(({ triggerInput }) => (triggerInput as { subject: string }[])[0]?.subject)).toEqual([rejected]);
});

test('notifies only the owners of the execution and of the workflow', async () => {
  const [author, runner, stranger] = [await owner(1), await owner(2), await owner(3)];
  const shared = await put(workflow({ break: raise('for two') }), author);
  const { workflowId } = shared;
  await database.updateTable('workflows').set({ visibility: 'shared' }).where('id', '=', workflowId).execute();
  const hooks = [await hook('.*', author), await hook('.*', runner), await hook('.*', stranger), await hook('.*')];
  await engine.until(await run(shared, runner), 'failed');
  await fireAll();
  const begun = await Promise.all(hooks.map(({ workflowId }) => executionsOf(database, workflowId)));
  expect(begun.map(({ length }) => length)).toEqual([1, 1, 0, 0]);
});

test('a failing hook, and a workflow that emits its own trigger, end with a reason', async () => {
  const on = (type: string) => ({ schedule: { on: { one: { with: { type } } } } });
  const failing = await put({ ...workflow({ break: raise('again') }), ...on('trapline.execution.failed') });
  const circle = await put({
    ...workflow({ again: { emit: { event: { with: { source: 'https://example.org/circle', type: 'round' } } } } }),
    ...on('round'),
  });
  for (const each of [failing, circle]) {
    const first = await run(each);
    const last = await waitFor('the last of the circle', async () => {
      await fireAll();
      const executions = await database
        .selectFrom('executions')
        .select(['id', 'status', 'causation', 'error'])
        .where('workflowId', '=', each.workflowId)
        .orderBy('causation')
        .execute();
      const { status, causation } = executions.at(-1) ?? {};
      return (status === 'rejected' || (each === failing && causation === MAX_CAUSATION + 1)) && executions;
    });
    expect(last[0]?.id).toBe(first);
    expect(last.map(({ causation }) => causation)).toEqual(Array.from({ length: MAX_CAUSATION + 2 }, (_, at) => at));
    const end = await engine.until(last.at(-1)?.id ?? '', 'rejected');
    expect(end.error).toMatchObject({
      title: 'Causal loop',
      detail: expect.stringContaining('more than 16 executions'),
    });
    await fireAll();
    expect(await executionsOf(database, each.workflowId)).toHaveLength(MAX_CAUSATION + 2);
  }
});

test('no workflow can emit events of the service', async () => {
  const liar = await put(
    workflow({
      lie: { emit: { event: { with: { source: 'https://example.org', type: 'Trapline.execution.failed' } } } },
    }),
  );
  const failed = await engine.until(await run(liar), 'failed');
  expect(failed.error).toMatchObject({ detail: expect.stringContaining('are reserved for the service') });
});
