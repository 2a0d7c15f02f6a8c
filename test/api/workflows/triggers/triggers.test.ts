import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CloudEvent } from '#api/executions/engine/contract/cloud-event.ts';
import { DRY_RUN } from '#api/executions/engine/run/dry-run.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { OPERATOR_LANE } from '#api/executions/store/queue-position.ts';
import { insertEvent } from '#api/executions/store/signals.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { triggersOf } from '#api/workflows/tables/workflow-triggers.ts';
import { publishDetections } from '#api/workflows/triggers/detection-events.ts';
import { fireEvents } from '#api/workflows/triggers/event-triggers.ts';
import { fireAfter, fireSchedules } from '#api/workflows/triggers/schedules.ts';
import { switchTrigger } from '#api/workflows/triggers/switch-trigger.ts';
import { syncTriggers } from '#api/workflows/triggers/sync-triggers.ts';
import { createTriggers } from '#api/workflows/triggers/triggers.ts';
import { detection } from '#test/analytics/clickhouse/fixture.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { executionsOf, release, scheduled, triggerDeps } from './trigger-fixture.ts';

const { url, database } = await usePostgres();
const deps = triggerDeps(database);
afterAll(() => deps.close());

const START = Date.parse('2026-05-01T12:00:00Z');
const MINUTE = 60_000;
let now = START;
beforeEach(() => {
  now = START;
});
afterEach(async () => {
  await database.deleteFrom('workflowTriggers').execute();
});
const sync = () => syncTriggers(database, () => now);
const set = async (schedule: JsonValue | undefined, over: Parameters<typeof release>[2] = {}) => {
  const released = await release(database, scheduled(schedule), over);
  await sync();
  return released;
};
const triggerOf = async (workflowId: string) => (await triggersOf(database, workflowId))[0];
let events = 0;
const publish = async (type: string, data: JsonValue = {}, lane: string | null = null, more: object = {}) => {
  events += 1;
  const event: CloudEvent = { specversion: '1.0', id: String(events), source: 'test', type, data, ...more };
  await insertEvent(database, event, lane);
};
const fireAll = async () => {
  while (await fireEvents(deps));
};
const user = async (role: 'user' | 'analyst') =>
  (
    await database
      .insertInto('users')
      .values({ username: `user${++events}`, email: `u${events}@example.org`, passwordHash: null, role })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

describe('schedules', () => {
  test('that this version cannot read do not block others', async () => {
    const odd = await set({ every: { minutes: 1 } });
    const { workflowId } = await set({ every: { minutes: 1 } });
    await database
      .updateTable('workflowTriggers')
      .set({ spec: JSON.stringify({ kind: 'schedule', cron: 'LATER_SYNTAX 0 8 * * *' }), nextAt: new Date(now) })
      .where('workflowId', '=', odd.workflowId)
      .execute();
    await fireSchedules(deps, now + MINUTE);
    expect(await executionsOf(database, workflowId)).toHaveLength(1);
    expect(await executionsOf(database, odd.workflowId)).toEqual([]);
    expect((await triggerOf(odd.workflowId))?.nextAt).toEqual(new Date(now));
  });

  test('start once per time with any number of processes, and never early', async () => {
    const { workflowId, versionId } = await set({ every: { minutes: 1 } });
    await fireSchedules(deps, now + MINUTE - 1);
    expect(await executionsOf(database, workflowId)).toEqual([]);
    const other = createDatabase({ url });
    const both = [deps, { ...deps, database: other }];
    for (let turn = 1; turn <= 3; turn += 1)
      await Promise.all([...both, ...both].map((each) => fireSchedules(each, now + turn * MINUTE)));
    await other.destroy();
    const begun = await executionsOf(database, workflowId);
    expect(begun).toHaveLength(3);
    expect(begun[0]).toMatchObject({
      triggerType: 'schedule',
      versionId,
      ownerId: null,
      triggerInput: { scheduledFor: '2026-05-01T12:01:00.000Z' },
    });
    expect(new Set(begun.map(({ cause }) => cause)).size).toBe(3);
  });

  test('of several workers with one clock start each time once, and continue when one stops', async () => {
    const { workflowId } = await set({ cron: '* * * * *' });
    const other = createDatabase({ url });
    const workers = [deps, { ...deps, database: other }].map((each) =>
      createTriggers(each, { now: () => now, pauseMs: 5 }),
    );
    for (let turn = 1; turn <= 6; turn += 1) {
      if (turn === 4) await workers[0]?.stop();
      now = START + turn * MINUTE;
      await waitFor('the execution', async () => (await executionsOf(database, workflowId)).length >= turn);
    }
    await Promise.all(workers.map((worker) => worker.stop()));
    await other.destroy();
    expect(await executionsOf(database, workflowId)).toHaveLength(6);
  });

  test('that were missed run once, and are counted', async () => {
    const { workflowId } = await set({ every: { minutes: 1 } });
    now += 60 * MINUTE + 30_000;
    await fireSchedules(deps, now);
    await fireSchedules(deps, now);
    expect(await executionsOf(database, workflowId)).toMatchObject([
      { triggerInput: { scheduledFor: '2026-05-01T13:00:00.000Z' } },
    ]);
    expect(await triggerOf(workflowId)).toMatchObject({ missed: 59, nextAt: new Date('2026-05-01T13:01:00Z') });
  });

  test('keep their interval over releases if unchanged, restart if changed, and stop if removed', async () => {
    const { workflowId } = await set({ every: { minutes: 10 } });
    const first = await triggerOf(workflowId);
    now += 5 * MINUTE;
    await set({ every: { minutes: 10 } }, { workflowId });
    expect(await triggerOf(workflowId)).toMatchObject({ id: first?.id, nextAt: first?.nextAt });
    await set({ every: { minutes: 20 } }, { workflowId });
    expect((await triggerOf(workflowId))?.nextAt).toEqual(new Date(now + 20 * MINUTE));
    await set(undefined, { workflowId });
    expect(await triggersOf(database, workflowId)).toEqual([]);
    expect(await sync()).toBe(0);
  });

  test('run in the name of the owner, and stop when the owner loses the right', async () => {
    const ownerId = await user('user');
    const { workflowId } = await set({ every: { minutes: 1 } }, { ownerId });
    await fireSchedules(deps, now + MINUTE);
    expect(await executionsOf(database, workflowId)).toMatchObject([{ ownerId }]);
    await database.updateTable('users').set({ disabled: true }).where('id', '=', ownerId).execute();
    await fireSchedules(deps, now + 2 * MINUTE);
    expect(await executionsOf(database, workflowId)).toHaveLength(1);
    expect((await triggerOf(workflowId))?.nextAt).toEqual(new Date(now + 3 * MINUTE));
  });

  test('that are disabled do nothing', async () => {
    const { workflowId } = await set({ every: { minutes: 1 } });
    await database.updateTable('workflowTriggers').set({ enabled: false }).execute();
    await fireSchedules(deps, now + MINUTE);
    expect(await executionsOf(database, workflowId)).toEqual([]);
  });

  test('of a paused workflow start once when it is resumed, and missed times are counted', async () => {
    const { workflowId } = await set({ every: { minutes: 1 } });
    const pause = (pausedAt: Date | null) =>
      database.updateTable('workflows').set({ pausedAt }).where('id', '=', workflowId).execute();
    await pause(new Date(now));
    now += 10 * MINUTE;
    await fireSchedules(deps, now);
    expect(await executionsOf(database, workflowId)).toEqual([]);
    await pause(null);
    await fireSchedules(deps, now);
    expect(await executionsOf(database, workflowId)).toHaveLength(1);
    expect(await triggerOf(workflowId)).toMatchObject({ missed: 9 });
  });

  test('that are enabled again continue from then, without missed times', async () => {
    const { workflowId } = await set({ cron: '0 * * * *' });
    const turn = (enabled: boolean) =>
      database
        .transaction()
        .execute((transaction) => switchTrigger(transaction, { workflowId, kind: 'schedule' }, enabled, now));
    expect(await turn(false)).toMatchObject({ changed: true, trigger: { enabled: false } });
    now += 150 * MINUTE;
    expect(await turn(true)).toMatchObject({ changed: true, trigger: { enabled: true } });
    await fireSchedules(deps, now);
    expect(await executionsOf(database, workflowId)).toEqual([]);
    expect(await triggerOf(workflowId)).toMatchObject({ nextAt: new Date(START + 180 * MINUTE), missed: 0 });
    expect(await turn(true)).toMatchObject({ changed: false });
    await fireSchedules(deps, START + 180 * MINUTE);
    expect(await executionsOf(database, workflowId)).toHaveLength(1);
  });

  test('that are invalid report it', async () => {
    const { workflowId } = await set({ cron: 'at noon' });
    expect(await triggerOf(workflowId)).toMatchObject({ nextAt: null, problem: expect.stringContaining('cron') });
  });
});

describe('after', () => {
  const end = (id: string, status: 'completed' | 'cancelled', at: number) =>
    database.transaction().execute(async (transaction) => {
      const update = (values: object) =>
        transaction.updateTable('executions').set(values).where('id', '=', id).execute();
      if (status === 'completed') await update({ status: 'running', leaseUntil: new Date(at) });
      await update({ status, leaseUntil: null, completedAt: new Date(at) });
    });

  test('a dry run neither starts nor blocks the series', async () => {
    const { workflowId, versionId } = await set({ after: { minutes: 5 } });
    const accept = async (triggerType: string) => {
      const accepted = await deps.executions.accept({
        kind: 'workflow',
        workflowId,
        versionId,
        ownerId: null,
        triggerType,
      });
      if (accepted.outcome === 'conflict') throw new Error('a conflict');
      return accepted.id;
    };
    await end(await accept(DRY_RUN), 'completed', now);
    await fireAfter(deps, now + 60 * MINUTE);
    expect(await executionsOf(database, workflowId)).toHaveLength(1);
    const real = await accept('api');
    await accept(DRY_RUN);
    await end(real, 'completed', now);
    await fireAfter(deps, now + 60 * MINUTE);
    const all = await executionsOf(database, workflowId);
    expect(all.map(({ triggerInput }) => triggerInput)).toContainEqual({ after: real });
  });

  test('follows the end of the last execution, once, also of a cancelled one', async () => {
    const { workflowId, versionId } = await set({ after: { minutes: 5 } });
    await fireAfter(deps, now);
    expect(await executionsOf(database, workflowId)).toEqual([]);
    const first = await deps.executions.accept({
      kind: 'workflow',
      workflowId,
      versionId,
      ownerId: null,
      triggerType: 'api',
    });
    if (first.outcome === 'conflict') throw new Error('a conflict');
    await fireAfter(deps, now + 60 * MINUTE);
    await end(first.id, 'completed', now);
    await fireAfter(deps, now + 4 * MINUTE);
    expect(await executionsOf(database, workflowId)).toHaveLength(1);
    await Promise.all([fireAfter(deps, now + 5 * MINUTE), fireAfter(deps, now + 5 * MINUTE)]);
    await fireAfter(deps, now + 50 * MINUTE);
    const [, second] = await executionsOf(database, workflowId);
    expect(await executionsOf(database, workflowId)).toHaveLength(2);
    expect(second).toMatchObject({ triggerType: 'schedule', triggerInput: { after: first.id } });
    await end(second?.id ?? '', 'cancelled', now);
    await fireAfter(deps, now + 50 * MINUTE);
    expect(await executionsOf(database, workflowId)).toHaveLength(2);
  });
});

describe('events', () => {
  test('start an execution each, with the event as its input, by type, attribute and data', async () => {
    const data = `$\{ .size > 3 }`;
    const { workflowId } = await set({ on: { one: { with: { type: 'file.seen', source: 'test', data } } } });
    await publish('file.seen', { size: 5 });
    await publish('file.seen', { size: 1 });
    await publish('file.gone', { size: 5 });
    await Promise.all([fireAll(), fireAll()]);
    expect(await executionsOf(database, workflowId)).toMatchObject([
      { triggerType: 'event', triggerInput: [{ type: 'file.seen', data: { size: 5 } }] },
    ]);
    expect(await database.selectFrom('triggerInbox').selectAll().execute()).toEqual([]);
  });

  test('of a batching workflow start one execution with the list as input, each cause once', async () => {
    const batched = { batch: { max: 3, period: 'PT10M', key: '${ .[0].data.host }' } };
    const { document, ...rest } = scheduled({ on: { one: { with: { type: 'batched' } } } });
    const limited = { ...rest, document: { ...(document as object), metadata: { limits: batched } } };
    const { workflowId } = await release(database, limited);
    await sync();
    for (const host of ['web', 'db', 'web', 'web']) await publish('batched', { host });
    await fireAll();
    // The same event again, as after a process that died before it removed the event from the inbox.
    await sql`INSERT INTO trigger_inbox (trigger_id, event_seq)
      SELECT t.id, e.seq FROM workflow_triggers AS t JOIN execution_events AS e ON e.type = 'batched'`.execute(
      database,
    );
    await fireAll();
    const found = await executionsOf(database, workflowId);
    expect(found.map(({ status, triggerInput }) => [status, (triggerInput as unknown[]).length])).toEqual([
      ['pending', 3],
      ['created', 1],
    ]);
  });

  test('of other users are ignored', async () => {
    const [ownerId, other] = [await user('user'), await user('user')];
    const { workflowId } = await set({ on: { any: [{ with: { type: 'mine' } }] } }, { ownerId });
    await publish('mine', {}, other);
    await publish('mine', {}, OPERATOR_LANE);
    await fireAll();
    expect(await executionsOf(database, workflowId)).toEqual([]);
    await publish('mine', {}, ownerId);
    await fireAll();
    expect(await executionsOf(database, workflowId)).toHaveLength(1);
  });

  test('that are correlated start one execution when all have arrived', async () => {
    const filter = (type: string) => ({ with: { type }, correlate: { order: { from: `$\{ .data.order }` } } });
    const { workflowId } = await set({ on: { all: [filter('paid'), filter('packed')] } });
    await publish('paid', { order: 1 });
    await publish('packed', { order: 2 });
    await publish('paid', { order: 3 });
    await fireAll();
    expect(await executionsOf(database, workflowId)).toEqual([]);
    await Promise.all([publish('paid', { order: 2 }), publish('packed', { order: 1 })]);
    await Promise.all([fireAll(), fireAll()]);
    const begun = await executionsOf(database, workflowId);
    const orders = begun.map(({ triggerInput }) =>
      (triggerInput as { type: string; data: { order: number } }[]).map(({ type, data }) => `${type} ${data.order}`),
    );
    expect(orders.sort()).toEqual([
      ['paid 1', 'packed 1'],
      ['paid 2', 'packed 2'],
    ]);
  });
});

describe('of one trigger do not delay those of others', () => {
  const other = async () => {
    const { workflowId } = await set({ on: { one: { with: { type: 'other' } } } });
    await publish('other');
    return workflowId;
  };

  test('with an expression whose value cannot be read', async () => {
    const from = `$\{ reduce range(2000) as $n (null; [.]) }`;
    await set({ on: { one: { with: { type: 'deep' }, correlate: { a: { from } } } } });
    await publish('deep');
    const workflowId = await other();
    await fireAll();
    expect(await executionsOf(database, workflowId)).toHaveLength(1);
  });

  test('that are too large for an input', async () => {
    const { workflowId: large } = await set({ on: { one: { with: { type: 'large' } } } });
    await publish('large', 'x'.repeat(300_000));
    const workflowId = await other();
    await fireAll();
    expect(await executionsOf(database, large)).toEqual([]);
    expect(await executionsOf(database, workflowId)).toHaveLength(1);
    expect(await database.selectFrom('triggerInbox').selectAll().execute()).toEqual([]);
  });

  test('waiting for one that never arrives: drops the oldest', async () => {
    const filter = (type: string) => ({ with: { type }, correlate: { [type]: { from: '${ .data }' } } });
    const { workflowId } = await set({ on: { all: [filter('a'), filter('b')] } });
    for (let number = 0; number < 210; number++) await publish('a', number);
    await fireAll();
    const gathered = await database.selectFrom('triggerGathered').select('learned').orderBy('eventSeq').execute();
    expect(gathered).toHaveLength(200);
    expect(gathered[0]?.learned).toEqual({ a: 10 });
    await publish('b', 1);
    await fireAll();
    expect(await executionsOf(database, workflowId)).toMatchObject([
      { triggerInput: [{ type: 'a', data: 10 }, { type: 'b' }] },
    ]);
  });
});

describe('detections', () => {
  const route = async () => {};
  let number = 0;
  const fresh = (over = {}) => detection({ id: `det_${String(++number).padStart(32, '0')}`, ...over });

  test('start one execution for each published revision, by rule, severity and host', async () => {
    const filter = { type: 'trapline.detection.(opened|grown)', severity: 'high|critical', hostname: 'edge-1' };
    const { workflowId } = await set({ on: { one: { with: { ...filter, rule: 'instruction-pointer-probe' } } } });
    const one = fresh();
    const all = [one, fresh({ severity: 'low' }), fresh({ hostname: 'edge-2' })];
    await publishDetections({ database, route }, all);
    await publishDetections({ database, route }, all);
    await publishDetections({ database, route }, [{ ...one, revision: 4 }, one]);
    await Promise.all([fireAll(), fireAll()]);
    expect(await executionsOf(database, workflowId)).toMatchObject([
      { triggerType: 'detection', triggerInput: [{ type: 'trapline.detection.opened', data: { id: one.id } }] },
      { triggerInput: [{ type: 'trapline.detection.grown', subject: one.id, data: { revision: 4 } }] },
    ]);
  });

  test('reach only users who may read them', async () => {
    const on = { one: { with: { type: 'trapline.detection.opened' } } };
    const [reader, other] = [await user('analyst'), await user('user')];
    const [mine, theirs] = [await set({ on }, { ownerId: reader }), await set({ on }, { ownerId: other })];
    await publishDetections({ database, route }, [fresh()]);
    await fireAll();
    expect(await executionsOf(database, mine.workflowId)).toHaveLength(1);
    expect(await executionsOf(database, theirs.workflowId)).toEqual([]);
  });
});
