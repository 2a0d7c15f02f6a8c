import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createAudit } from '#api/audit/audit.ts';
import { MAX_CAUSATION } from '#api/executions/engine/causation.ts';
import { executionHousekeeping } from '#api/executions/engine/retention.ts';
import { DRY_RUN } from '#api/executions/engine/run/dry-run.ts';
import { ExpressionsBusyError } from '#api/executions/expressions/expression-error.ts';
import { createExpressions } from '#api/executions/expressions/expressions.ts';
import { createFolderStore } from '#api/executions/files/folder-store.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { workflowsWithWaiting } from '#api/executions/limits/admissions.ts';
import { createStartLimits, createVersionLimits } from '#api/executions/limits/start-limits.ts';
import { findWaiting, limitState } from '#api/executions/limits/waiting.ts';
import { createFilePayloads } from '#api/executions/payloads/file-payloads.ts';
import { readPayload } from '#api/executions/payloads/keep-payload.ts';
import { INLINE_BYTES } from '#api/executions/payloads/port.ts';
import { needsAttention } from '#api/executions/store/attention.ts';
import { deleteEnded } from '#api/executions/store/retention.ts';
import type { Database } from '#api/postgres/database.ts';
import { pauseWorkflow, resumeWorkflow } from '#api/workflows/pause.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { release as releaseDefinition } from '../../workflows/triggers/trigger-fixture.ts';
import {
  createEngineFixture,
  type EngineFixture,
  event,
  listenTo,
  runChild,
  script,
  workflow,
} from '../engine/engine-fixture.ts';

let database: Database;
let engine: EngineFixture;
const expressions = createExpressions({ threads: 1 });
beforeAll(async () => {
  const postgres = await usePostgres();
  ({ database } = postgres);
  const versionLimits = createVersionLimits();
  const startLimits = createStartLimits({ database, evaluate: expressions.evaluate, versionLimits });
  engine = createEngineFixture(database, postgres.url, undefined, { startLimits, versionLimits });
});
afterAll(() => expressions.close());
afterEach(async () => {
  await engine.clear();
  for (const table of ['execution_admissions', 'execution_batch_items', 'execution_idempotency'])
    await sql`DELETE FROM ${sql.table(table)}`.execute(database);
});

interface Released {
  readonly workflowId: string;
  readonly versionId: string;
}

/** Releases a workflow with these limits and the given tasks. */
async function release(
  limits: JsonValue,
  tasks: Readonly<Record<string, JsonValue>> = { hold: listenTo('go') },
  workflowId?: string,
): Promise<Released> {
  const definition = workflow(tasks);
  const limited = { ...definition, document: { ...(definition.document as object), metadata: { limits } } };
  const released = await releaseDefinition(database, limited, workflowId === undefined ? {} : { workflowId });
  engine.definitions.set(released.versionId, limited);
  return released;
}

const start = ({ workflowId, versionId }: Released, input: JsonValue, more = {}) =>
  engine.run(versionId, { workflowId, ownerId: null, input, ...more });
const statuses = async (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await engine.row(id)).status));

test('runs as many executions with one key as the limit permits; the others follow in order', async () => {
  const limited = await release({ concurrency: { max: 2, key: '${ .host }' } });
  engine.work();
  const web = [];
  for (let n = 0; n < 4; n += 1) web.push(await start(limited, { host: 'web', n }));
  const db = await start(limited, { host: 'db' });
  for (const id of [web[0], web[1], db]) await engine.until(id as string, 'waiting');
  expect(await statuses(web.slice(2))).toEqual(['created', 'created']);
  expect(await workflowsWithWaiting(database)).toEqual([limited.workflowId]);
  await engine.executions.cancel(web[0] as string);
  await engine.until(web[2] as string, 'waiting');
  expect(await statuses(web.slice(3))).toEqual(['created']);
  await engine.executions.publish(event('1', 'go'));
  await engine.until(web[3] as string, 'completed');
  expect(await workflowsWithWaiting(database)).toEqual([]);
});

test('admits a greater priority first, and a cancelled start takes no slot', async () => {
  const limited = await release({ concurrency: { max: 1 }, priority: '${ .priority }' }, { only: script('only') });
  const ids = [];
  for (const priority of [0, -5, -1, 50]) ids.push(await start(limited, { priority }));
  expect((await engine.row(ids[3] as string)).priority).toBe(0);
  const cancelled = await start(limited, { priority: 0 });
  await engine.executions.cancel(cancelled);
  engine.work();
  for (const id of ids) await engine.until(id, 'completed');
  expect(engine.begun.map(({ executionId }) => executionId)).toEqual([ids[0], ids[3], ids[2], ids[1]]);
});

test('a throttle admits the maximum in any period, and the next when the first is a period old', async () => {
  const limited = await release({ throttle: { max: 2, period: 'PT1S' } }, { only: script('only') });
  engine.work({ pollMs: 50 });
  const ids = [];
  for (let n = 0; n < 5; n += 1) ids.push(await start(limited, { n }));
  for (const id of ids) await engine.until(id, 'completed');
  const { rows } = await sql<{ at: Date }>`
    SELECT admitted_at AS at FROM execution_admissions ORDER BY seq`.execute(database);
  const at = rows.map((row) => row.at.getTime());
  for (const n of [0, 1, 2]) expect((at[n + 2] ?? 0) - (at[n] ?? 0)).toBeGreaterThanOrEqual(1_000);
});

test('limits of a later version apply to waiting starts at the next poll of a worker', async () => {
  const limited = await release({ concurrency: { max: 1 } });
  engine.work();
  const ids = [await start(limited, {}), await start(limited, {}), await start(limited, {})];
  await engine.until(ids[0] as string, 'waiting');
  await release({ concurrency: { max: 3 } }, { hold: listenTo('go') }, limited.workflowId);
  await engine.executions.admitStarts({ workflowId: limited.workflowId });
  for (const id of ids) await engine.until(id, 'waiting');
});

test('another process admits starts of a process that died after its commit', async () => {
  const limited = await release({ concurrency: { max: 1 } }, { only: script('only') });
  const [first, second] = [await start(limited, {}), await start(limited, {})];
  // The end of the first execution is written, and no process starts the next one.
  await sql`UPDATE executions SET status = 'cancelled', completed_at = now() WHERE id = ${first}`.execute(database);
  expect(await statuses([second])).toEqual(['created']);
  engine.work({ pollMs: 50 });
  await engine.until(second, 'completed');
});

test('an execution tree holds one slot at most, so that a workflow that runs itself does not wait for itself', async () => {
  const limited = await release({ concurrency: { max: 1 } }, { only: script('only') });
  const child = { workflowId: limited.workflowId, versionId: limited.versionId };
  const parent = await release({ concurrency: { max: 1 } }, { sub: runChild('sub') }, limited.workflowId);
  engine.work({}, { resolveWorkflow: async () => child });
  const ids = [await start(parent, {}), await start(parent, {})];
  for (const id of ids) await engine.until(id, 'completed');
});

test('starts a child later if its limits cannot be evaluated now', async () => {
  const limited = await release({ concurrency: { max: 1 } }, { only: script('only') });
  const parent = await release({}, { sub: runChild('sub') });
  let asked = 0;
  engine.work(
    {},
    {
      resolveWorkflow: async () => limited,
      startLimits: async () => {
        asked += 1;
        if (asked === 1) throw new ExpressionsBusyError('too much data is waiting to be evaluated');
        return undefined;
      },
    },
  );
  await engine.until(await start(parent, {}), 'completed');
  expect(asked).toBeGreaterThan(1);
});

test('applies the concurrency key of the caller after the limits of the workflow', async () => {
  const limited = await release({ concurrency: { max: 2 } });
  engine.work();
  const concurrencyKey = `${limited.workflowId}:k`;
  const ids = [];
  for (let n = 0; n < 3; n += 1) ids.push(await start(limited, {}, { concurrencyKey }));
  await engine.until(ids[0] as string, 'waiting');
  for (const n of [1, 2]) {
    await engine.executions.cancel(ids[n - 1] as string);
    await engine.until(ids[n] as string, 'waiting');
  }
});

test('a debounce runs once with the last input, and returns that execution for every start', async () => {
  const limited = await release({ debounce: { period: 'PT1S', key: '${ .host }' } }, { only: script('only') });
  const ids = [];
  for (const n of [1, 2, 3]) ids.push(await start(limited, { host: 'web', n }, { mergeable: true }));
  const other = await start(limited, { host: 'db' }, { mergeable: true });
  const alone = await start(limited, { host: 'web', n: 0 }, { mergeable: false });
  expect(new Set(ids).size).toBe(1);
  expect(new Set([ids[0], other, alone]).size).toBe(3);
  engine.work({ pollMs: 50 });
  const done = await engine.until(ids[0] as string, 'completed');
  expect(done.triggerInput).toEqual({ host: 'web', n: 3 });
  await engine.until(other, 'completed');
  await engine.until(alone, 'completed');
});

test('a batch runs with the list of inputs when it is full; lists of events are joined; a repeated request adds nothing', async () => {
  const limited = await release({ batch: { max: 3, period: { minutes: 10 } } }, { only: script('only') });
  const idempotency = { caller: 'tester', key: 'once', body: { n: 1 } };
  const first = await start(limited, { n: 1 }, { mergeable: true });
  const again = async () => start(limited, { n: 2 }, { mergeable: true, idempotency });
  expect(await again()).toBe(first);
  expect(await again()).toBe(first);
  const events = [{ id: 'a' }, { id: 'b\u0000' }];
  expect(await start(limited, events, { mergeable: true, inputIsList: true })).toBe(first);
  const next = await start(limited, { n: 4 }, { mergeable: true });
  expect(next).not.toBe(first);
  engine.work({ pollMs: 50 });
  const done = await engine.until(first, 'completed');
  expect(done.triggerInput).toEqual([{ n: 1 }, { n: 2 }, ...events]);
  expect(await statuses([next])).toEqual(['created']);
  await waitFor('items to be gone', async () => {
    const { rows } = await sql`SELECT FROM execution_batch_items WHERE execution_id = ${first}`.execute(database);
    return rows.length === 0;
  });
});

test('a batch has starts of one version, also while versions alternate', async () => {
  const limits = { batch: { max: 3, period: { minutes: 10 } } };
  const old = await release(limits, { old: script('old') });
  const current = await release(limits, { current: script('current') }, old.workflowId);
  const versions = [old, current, old, current, old, current];
  const ids = [];
  for (const [n, version] of versions.entries()) ids.push(await start(version, { n }, { mergeable: true }));
  const [first, second] = ids as [string, string];
  expect(ids).toEqual([first, second, first, second, first, second]);
  engine.work({ pollMs: 50 });
  const [done, others] = [await engine.until(first, 'completed'), await engine.until(second, 'completed')];
  expect([done.versionId, done.triggerInput]).toEqual([old.versionId, [{ n: 0 }, { n: 2 }, { n: 4 }]]);
  expect([others.versionId, others.triggerInput]).toEqual([current.versionId, [{ n: 1 }, { n: 3 }, { n: 5 }]]);
});

test('a batch that begins with an input too large for a row keeps it, and later starts become another batch', async () => {
  const postgres = await usePostgres();
  const folder = await mkdtemp(join(tmpdir(), 'trapline-limits-'));
  const store = createFilePayloads(createFolderStore({ folder }));
  const versionLimits = createVersionLimits();
  const startLimits = createStartLimits({ database, evaluate: expressions.evaluate, versionLimits });
  const { run, row } = createEngineFixture(database, postgres.url, store, { startLimits, versionLimits });
  const { workflowId, versionId } = await release({ batch: { max: 3, period: 'PT1H' } }, { only: script('only') });
  const add = (input: JsonValue) => run(versionId, { workflowId, ownerId: null, input, mergeable: true });
  const large = await add({ text: 'x'.repeat(INLINE_BYTES) });
  const small = await add({ n: 1 });
  expect(small).not.toBe(large);
  expect(await add({ n: 2 })).toBe(small);
  const { triggerInputFile } = await row(large);
  expect(await readPayload(store, null, triggerInputFile)).toEqual([{ text: 'x'.repeat(INLINE_BYTES) }]);
  await rm(folder, { recursive: true });
});

test('a due start that waits for a slot or the end of a pause causes no poll', async () => {
  const limited = await release({
    concurrency: { max: 1 },
    debounce: { period: 'PT1H', key: '${ .host }' },
  });
  const holder = await start(limited, {});
  const ids = [];
  for (const host of ['a', 'b', 'c']) ids.push(await start(limited, { host }, { mergeable: true }));
  const target = { workflowId: limited.workflowId };
  const nextMs = async () => (await needsAttention(database, ['workflow'])).nextAdmissionMs;
  const letPass = () =>
    sql`UPDATE execution_admissions SET not_before = clock_timestamp(), retry_at = clock_timestamp() WHERE admitted_at IS NULL`.execute(
      database,
    );
  expect(await nextMs()).toBeGreaterThan(0);
  await letPass();
  // The column rounds times to milliseconds.
  expect(await nextMs()).toBeLessThan(1);
  await engine.executions.admitStarts(target);
  expect(await nextMs()).toBeNull();
  const by = { actor: 'operator', origin: { ip: '192.0.2.1', userAgent: 'test', requestId: 'req_1' } };
  const deps = { database, audit: createAudit(), executions: engine.executions };
  await pauseWorkflow(deps, { id: limited.workflowId }, undefined, by);
  await letPass();
  await engine.executions.admitStarts(target);
  expect(await nextMs()).toBeNull();
  await engine.executions.cancel(holder);
  await resumeWorkflow(deps, { id: limited.workflowId }, by);
  expect(await statuses(ids)).toEqual(['pending', 'created', 'created']);
});

test('an execution with merged starts has the queue position of the last of them', async () => {
  const tasks = { only: script('only') };
  const debounced = await release({ debounce: { period: 'PT1H' } }, tasks);
  const batched = await release({ batch: { max: 9, period: 'PT1H' } }, tasks);
  for (const limited of [debounced, batched]) {
    const id = await start(limited, {}, { mergeable: true, causation: 1 });
    for (const causation of [MAX_CAUSATION, 0])
      expect(await start(limited, {}, { mergeable: true, causation })).toBe(id);
    expect((await engine.row(id)).causation).toBe(MAX_CAUSATION);
    // This start is rejected without affecting the others.
    expect(await start(limited, {}, { mergeable: true, causation: MAX_CAUSATION + 1 })).not.toBe(id);
  }
});

test('while a workflow is paused, its starts wait and running executions continue; a resume admits them', async () => {
  const paused = await release({}, { hold: listenTo('go') });
  const by = { actor: 'operator', origin: { ip: '192.0.2.1', userAgent: 'test', requestId: 'req_1' } };
  const deps = { database, audit: createAudit(), executions: engine.executions };
  const worker = engine.work();
  const running = await start(paused, {});
  await engine.until(running, 'waiting');
  await worker.stop();
  const queued = await start(paused, {});
  const keyed = await start(paused, {}, { concurrencyKey: 'k' });
  expect(await statuses([queued, keyed])).toEqual(['pending', 'pending']);
  const workflow = { id: paused.workflowId };
  expect(await pauseWorkflow(deps, workflow, 'the API of the vendor is down', by)).toBe(true);
  expect(await pauseWorkflow(deps, workflow, undefined, by)).toBe(false);
  const later = await start(paused, {});
  const dryRun = await start(paused, {}, { triggerType: DRY_RUN });
  expect(await statuses([queued, keyed, later, dryRun])).toEqual(['created', 'created', 'created', 'pending']);
  expect(await findWaiting(database, later)).toMatchObject({ reason: 'paused', ahead: 2, until: null });
  expect(await limitState(database, paused.workflowId)).toMatchObject({ waiting: 3, queues: [{ reason: 'paused' }] });
  engine.work();
  await engine.executions.publish(event('1', 'go'));
  await engine.until(running, 'completed');
  expect(await statuses([queued, keyed, later])).toEqual(['created', 'created', 'created']);
  expect(await resumeWorkflow(deps, workflow, by)).toBe(true);
  for (const id of [queued, keyed, later]) await engine.until(id, 'completed');
  expect(await resumeWorkflow(deps, workflow, by)).toBe(false);
});

test('reports the limit, the key and the queue position of waiting starts', async () => {
  const limited = await release({ concurrency: { max: 1, key: '${ .host }' } });
  const [holder, next, last] = [
    await start(limited, { host: 'a' }),
    await start(limited, { host: 'a' }),
    await start(limited, { host: 'a' }),
  ];
  expect(await findWaiting(database, holder)).toBeUndefined();
  expect(await findWaiting(database, next)).toMatchObject({ reason: 'concurrency', key: '"a"', ahead: 0 });
  expect(await findWaiting(database, last)).toMatchObject({ reason: 'concurrency', ahead: 1, until: null, merged: 0 });
  expect(await limitState(database, limited.workflowId)).toMatchObject({
    holding: 1,
    waiting: 2,
    queues: [{ reason: 'concurrency', key: '"a"', holding: 1, waiting: 2 }],
  });
  const throttled = await release({ throttle: { max: 1, period: 'PT1H' } });
  await start(throttled, {});
  const found = await findWaiting(database, await start(throttled, {}));
  expect(found).toMatchObject({ reason: 'throttle', key: null });
  expect(found?.until?.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
});

test('keeps executions as long as their workflow declares, longer or shorter than the others', async () => {
  const tasks = { only: script('only') };
  const [short, long, other] = [
    await release({ retention: 'PT2H' }, tasks),
    await release({ retention: 'P90D' }, tasks),
    await release({}, tasks),
  ];
  engine.work();
  const ids = [await start(short, {}), await start(short, {}), await start(long, {}), await start(other, {})];
  for (const id of ids) await engine.until(id, 'completed');
  await engine.stopAll();
  const age = (id: string | undefined, hours: number) =>
    sql`
    UPDATE executions SET created_at = now() - ${hours}::int * interval '1 hour', completed_at = now() - ${hours}::int * interval '1 hour'
    WHERE id = ${id}`.execute(database);
  for (const [at, hours] of [3, 1, 31 * 24, 31 * 24].entries()) await age(ids[at], hours);
  const { handle } = executionHousekeeping({ database })['housekeeping.executions'] ?? {};
  const signal = new AbortController().signal;
  const job = { id: 1, payload: null, attempt: 1, requestId: undefined, signal, finish: async () => {} };
  expect(await handle?.(job)).toMatchObject({ executions: 2 });
  const left = await database.selectFrom('executions').select('id').where('id', 'in', ids).execute();
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set([ids[1], ids[2]]));
});

test('keeps the outcome of a child until its parent has read it', async () => {
  const child = await release({ retention: 'PT2H' }, { only: script('only') });
  const parent = await release({}, { sub: runChild('sub') });
  engine.work({}, { resolveWorkflow: async () => child });
  const id = await start(parent, {});
  await engine.until(id, 'completed');
  await engine.stopAll();
  const deleted = async () => (await deleteEnded(database, { olderThanMs: 7_200_000, limit: 10, scope: child })).ids;
  await sql`
    UPDATE executions SET created_at = now() - interval '1 day', completed_at = now() - interval '1 day' WHERE parent_id = ${id}`.execute(
    database,
  );
  await sql`UPDATE execution_signals SET delivered = false WHERE execution_id = ${id}`.execute(database);
  expect(await deleted()).toEqual([]);
  await sql`UPDATE execution_signals SET delivered = true WHERE execution_id = ${id}`.execute(database);
  expect(await deleted()).toHaveLength(1);
});
