import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { executionHousekeeping } from '#api/executions/engine/retention.ts';
import { leasedExecutions } from '#api/executions/engine/worker/leased-executions.ts';
import { PayloadTooLarge } from '#api/executions/payloads/keep-payload.ts';
import type { PayloadStore } from '#api/executions/payloads/port.ts';
import { advanceExecutions } from '#api/executions/store/advance.ts';
import { claimExecutions } from '#api/executions/store/claim.ts';
import { type ReclaimRules, reclaimExpiredExecutions, retractExecutionLosses } from '#api/executions/store/leases.ts';
import { findTracedStep } from '#api/executions/store/repetition.ts';
import { insertEvent, routeEvents } from '#api/executions/store/signals.ts';
import { claimSuspect, endAlone } from '#api/executions/store/suspects.ts';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { PATIENT, usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import {
  createEngineFixture,
  type EngineFixture,
  event,
  listenTo,
  nothingButWrite,
  OTHER_OWNER,
  OWNER,
  script,
  workflow,
} from './engine-fixture.ts';

const files = new Map<string, Uint8Array>();
const payloads: PayloadStore = {
  async put(name, bytes) {
    files.set(name, bytes);
    return name;
  },
  async get(name) {
    const bytes = files.get(name);
    if (bytes === undefined) throw new Error(`no ${name}`);
    return bytes;
  },
  async *read(name) {
    yield await payloads.get(name);
  },
  async delete(names) {
    for (const name of names) files.delete(name);
  },
};
let database: Database;
let engine: EngineFixture;
let url: string;
beforeAll(async () => {
  const postgres = await usePostgres();
  ({ database, url } = postgres);
  engine = createEngineFixture(database, postgres.url, payloads);
});
afterEach(async () => {
  await engine.clear();
  files.clear();
});

const claim = async (places = 1) =>
  claimExecutions(database, { worker: 'w', leaseMs: 8_000, places, kinds: ['workflow'], fullLanes: [] });
const suspect = (alone = true) => claimSuspect(database, { worker: 'w', leaseMs: 8_000, kinds: ['workflow'], alone });
const RULES: ReclaimRules = { maxCrashes: 3, unavailableMsAgo: null };
const STEP = {
  step: '/do/0/a',
  attempt: 1,
  begun: 0,
  changed: 1,
  name: 'a',
  kind: 'run',
  status: 'completed',
  input: null,
  inputFile: null,
  output: null,
  outputFile: null,
  error: null,
  startedAt: '2026-01-01T00:00:00Z',
  endedAt: null,
} as const;
const WAIT = { wait: 'w1', step: '/do/0', mode: 'one', filters: '[]', eventTypes: ['go'], approval: null } as const;

async function claimedWithWait(): Promise<{ id: string; epoch: number }> {
  await engine.run('any');
  const [{ id = '', epoch = 0 } = {}] = await claim();
  await advanceExecutions(database, [nothingButWrite(id, epoch, { waits: [WAIT] })]);
  return { id, epoch };
}

test('a signal in flight while a run is parked: the run waits for its commit, and is not parked', async () => {
  const { id, epoch } = await claimedWithWait();
  await insertEvent(database, event('1', 'go'), null);
  let parked: Promise<unknown> | undefined;
  await database.transaction().execute(async (transaction) => {
    expect(await routeEvents(transaction)).toEqual([{ id, held: true }]);
    parked = advanceExecutions(database, [nothingButWrite(id, epoch, { status: 'waiting' })]);
    // Outside of the transaction, in which PostgreSQL would return the first result repeatedly.
    await waitFor('the parking to wait for the row', async () => {
      const { rows } =
        await sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND wait_event_type = 'Lock'`.execute(
          database,
        );
      return rows.length > 0;
    });
  });
  expect(await parked).toMatchObject([{ id, status: 'pending', suspended: false }]);
});

test('concurrent signals and parkings, repeated: no execution waits for an event that has arrived', async () => {
  for (let round = 0; round < 40; round += 1) {
    const { id, epoch } = await claimedWithWait();
    await insertEvent(database, event(`round ${round}`, 'go'), null);
    await Promise.all([
      routeEvents(database),
      advanceExecutions(database, [nothingButWrite(id, epoch, { status: 'waiting' })]),
    ]);
    expect((await engine.row(id)).status).toBe('pending');
    await database.deleteFrom('executions').where('id', '=', id).execute();
  }
});

test('writes nothing for a claim that was reclaimed or cancelled', async () => {
  await engine.run('any');
  const [first] = await claim();
  const { id = '', epoch = 0 } = first ?? {};
  await sql`UPDATE executions SET lease_until = now() - interval '1 second'`.execute(database);
  expect((await reclaimExpiredExecutions(database, RULES)).map(({ status }) => status)).toEqual(['pending']);
  const second = await suspect();
  expect(second?.epoch).toBe(epoch + 1);
  const zombie = nothingButWrite(id, epoch, {
    status: 'completed',
    result: '1',
    steps: [STEP],
    events: [{ source: 's', eventId: '1', type: 't', event: '{}', repliesTo: null }],
  });
  const running = nothingButWrite(id, epoch, { state: '{"at":9}', steps: [STEP] });
  for (const write of [zombie, running]) expect(await advanceExecutions(database, [write])).toEqual([]);
  await engine.executions.cancel(id);
  for (const write of [zombie, running])
    expect(await advanceExecutions(database, [{ ...write, epoch: epoch + 1 }])).toEqual([]);
  for (const table of ['executionSteps', 'executionEvents'] as const)
    expect(await database.selectFrom(table).selectAll().execute()).toEqual([]);
});

describe('the state last written by a worker', () => {
  const TIMER = { timer: 't1', fireAt: '2099-01-01T00:00:00Z' };
  const claimNew = async () => {
    await engine.run('any');
    const [{ id = '', epoch = 0 } = {}] = await claim();
    const write = (state: string, more = {}) =>
      advanceExecutions(database, [nothingButWrite(id, epoch, { state, ...more })]);
    return { id, write };
  };
  const expire = () => sql`UPDATE executions SET lease_until = now() - interval '1 second'`.execute(database);
  const progress = () => database.selectFrom('executionProgress').selectAll().execute();

  test('is what the next worker receives, whatever kind of write it was', async () => {
    const step = (state: string) => [state] as const;
    const withTimer = (state: string) => [state, { timers: [TIMER] }] as const;
    for (const writes of [
      [step('{"at":1}')],
      [step('{"at":1}'), step('{"at":2}')],
      [step('{"at":1}'), withTimer('{"at":2}')],
      [withTimer('{"at":1}'), step('{"at":2}')],
      [withTimer('{"at":1}')],
      [step('{"at":1}'), ['{"at":2}', { status: 'finalizing' }] as const],
    ]) {
      const { id, write } = await claimNew();
      for (const [state, more] of writes) expect(await write(state, more)).toHaveLength(1);
      await expire();
      await reclaimExpiredExecutions(database, RULES);
      expect(await suspect()).toMatchObject({ id, state: JSON.parse(writes.at(-1)?.[0] ?? '') });
      await engine.clear();
    }
  });

  test('is kept in the execution while it waits', async () => {
    const { id, write } = await claimNew();
    await write('{"at":1}');
    await write('{"at":2}', { status: 'waiting', waits: [WAIT] });
    expect(await engine.row(id)).toMatchObject({ status: 'waiting', state: { at: 2 } });
    expect(await progress()).toEqual([]);
  });

  test('is kept in the execution when a cancel takes the lease, and the worker writes nothing after it', async () => {
    const { id, write } = await claimNew();
    await write('{"at":1}');
    await engine.executions.cancel(id);
    expect(await write('{"at":2}')).toEqual([]);
    expect(await engine.row(id)).toMatchObject({ status: 'running', state: { at: 1 } });
  });

  test('is deleted at the end, and its content counts once', async () => {
    const bytesOf = async (states: readonly string[]) => {
      const { id, write } = await claimNew();
      const { rows } = await sql<{
        writtenBytes: number;
      }>`SELECT written_bytes FROM executions WHERE id = ${id}`.execute(database);
      expect(rows).toEqual([{ writtenBytes: 0 }]);
      for (const state of states) await write(state, { steps: [STEP] });
      await write('null', { status: 'completed', result: '"done"' });
      expect(await progress()).toEqual([]);
      const after = await sql<{ writtenBytes: number }>`SELECT written_bytes FROM executions WHERE id = ${id}`.execute(
        database,
      );
      return after.rows[0]?.writtenBytes ?? 0;
    };
    const none = await bytesOf([]);
    const one = await bytesOf(['{}']);
    expect(one).toBeGreaterThan(none);
    expect(await bytesOf(['{}', '{}'])).toBe(none + 2 * (one - none));
  });

  test('is written by a worker that found an orphaned row of its execution', async () => {
    await engine.run('any');
    await sql`INSERT INTO execution_progress (execution_id, epoch, state) SELECT id, 7, '{"at":9}' FROM executions`.execute(
      database,
    );
    const [{ id = '', epoch = 0, state = undefined } = {}] = await claim();
    expect(state).toBe(null);
    expect(await advanceExecutions(database, [nothingButWrite(id, epoch, { state: '{"at":1}' })])).toHaveLength(1);
  });
});

describe('executions whose worker died', () => {
  const die = async (rules = RULES) => {
    await sql`UPDATE executions SET lease_until = now() - interval '1 second' WHERE lease_until IS NOT NULL`.execute(
      database,
    );
    return reclaimExpiredExecutions(database, rules);
  };

  test('run one at a time, and one that kills its workers alone fails', async () => {
    const guilty = await engine.run('any');
    const innocent = await engine.run('any');
    expect(await claim(2)).toHaveLength(2);
    await die();
    expect(await claim()).toEqual([]);
    for (let crash = 1; crash <= RULES.maxCrashes; crash += 1) {
      await sql`UPDATE executions SET losses = losses + 1 WHERE id = ${guilty} AND losses = 1`.execute(database);
      expect((await suspect())?.id).toBe(guilty);
      await die();
      expect(await engine.row(guilty)).toMatchObject({ crashes: crash, alone: false });
    }
    expect(await engine.row(guilty)).toMatchObject({ status: 'failed', error: { title: 'Worker lost' } });
    expect(await engine.row(innocent)).toMatchObject({ status: 'pending', losses: 1, crashes: 0 });
    expect((await suspect())?.id).toBe(innocent);
  });

  test('do not fail for crashes in company', async () => {
    const id = await engine.run('any');
    await claim();
    await die();
    for (let death = 1; death <= 2 * RULES.maxCrashes; death += 1) {
      await suspect(false);
      await die();
    }
    const claimed = await suspect();
    expect(await endAlone(database, { id, epoch: claimed?.epoch ?? 0 })).toBe(true);
    await die();
    expect(await engine.row(id)).toMatchObject({ status: 'pending', crashes: 0, losses: 2 * RULES.maxCrashes + 2 });
  });

  test('are no suspects if the worker is alive after all', async () => {
    const id = await engine.run('any');
    const [first = expect.unreachable('nothing was claimed')] = await claim();
    await die();
    await retractExecutionLosses(database, [{ ...first, alone: false, row: first }]);
    expect(await engine.row(id)).toMatchObject({ status: 'pending', losses: 0 });
    expect(await claim()).toHaveLength(1);
    await die();
    const alone = (await suspect()) ?? expect.unreachable('no suspect was claimed');
    await die();
    expect(await engine.row(id)).toMatchObject({ losses: 2, crashes: 1 });
    await retractExecutionLosses(database, [{ ...alone, alone: true, row: alone }]);
    expect(await engine.row(id)).toMatchObject({ losses: 1, crashes: 0 });
  });

  test('stay suspects if another worker has claimed them since, or if the loss is an earlier one', async () => {
    const id = await engine.run('any');
    const [first = expect.unreachable('nothing was claimed')] = await claim();
    await die();
    const second = (await suspect(false)) ?? expect.unreachable('no suspect was claimed');
    await retractExecutionLosses(database, [{ ...first, alone: false, row: first }]);
    expect(await engine.row(id)).toMatchObject({ losses: 1 });
    await die({ ...RULES, unavailableMsAgo: 0 });
    await retractExecutionLosses(database, [{ ...second, alone: false, row: second }]);
    expect(await engine.row(id)).toMatchObject({ status: 'pending', losses: 1 });
  });

  test('are not counted if leases ended because PostgreSQL was unavailable', async () => {
    const id = await engine.run('any');
    await claim();
    // Their leases expired a second ago, and PostgreSQL is available again for half a second.
    await die({ ...RULES, unavailableMsAgo: 500 });
    expect(await engine.row(id)).toMatchObject({ status: 'pending', losses: 0, crashes: 0 });
    await claim();
    await die({ ...RULES, unavailableMsAgo: 60_000 });
    expect(await engine.row(id)).toMatchObject({ status: 'pending', losses: 1, crashes: 0 });
  });

  test('are reset when executions wait, and kept while they run', async () => {
    const id = await engine.run('any');
    await claim();
    await die();
    const { epoch = 0 } = (await suspect()) ?? {};
    await advanceExecutions(database, [nothingButWrite(id, epoch, { status: 'running' })]);
    expect(await engine.row(id)).toMatchObject({ losses: 1 });
    await advanceExecutions(database, [nothingButWrite(id, epoch, { status: 'waiting' })]);
    expect(await engine.row(id)).toMatchObject({ losses: 0 });
  });
});

test('two thousand executions of one owner delay another owner no more than two do', async () => {
  await sql`
    INSERT INTO executions (id, kind, workflow_id, version_id, owner_id, status, turn, trigger_type, root_id)
    SELECT 'exec_many_' || n, 'workflow', 'wf_1', 'any', ${OWNER}::uuid, 'pending', n, 'api', '' FROM generate_series(1, 2000) AS n`.execute(
    database,
  );
  await claim(40);
  const id = await engine.run('any', { ownerId: OTHER_OWNER });
  const next = await claim(3);
  expect(next.map((claimed) => claimed.id)).toContain(id);
  const urgent = await engine.run('any', { priority: 5 });
  expect((await claim()).map((claimed) => claimed.id)).toEqual([urgent]);
});

test('claims and writes read few rows, also with a long queue and statistics of a short one', async () => {
  const queue = (prefix: string) =>
    sql`
      INSERT INTO executions (id, kind, workflow_id, version_id, owner_id, status, turn, trigger_type, root_id)
      SELECT ${prefix} || n, 'workflow', 'wf_1', 'any', CASE n % 10 WHEN 0 THEN ${OTHER_OWNER}::uuid ELSE ${OWNER}::uuid END, 'pending', n, 'api', ''
      FROM generate_series(1, 1000) AS n`.execute(database);
  await queue('exec_old_');
  await sql`UPDATE executions SET status = 'cancelled', completed_at = now() WHERE turn > 5`.execute(database);
  await sql`ANALYZE executions, execution_progress`.execute(database);
  await queue('exec_many_');
  await sql`INSERT INTO execution_progress (execution_id, epoch) SELECT 'exec_other_' || n, 1 FROM generate_series(1, 1000) AS n`.execute(
    database,
  );
  const wish = { worker: 'w', leaseMs: 8_000, places: 10, kinds: ['workflow'] } as const;
  // Discards the cached plans of previous tests.
  const fresh = createDatabase({ url, connections: 1, ...PATIENT });
  await fresh.transaction().execute(async (transaction) => {
    const read = async () => {
      const { rows } = await sql<{ n: number }>`
        SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS n FROM pg_stat_xact_user_tables
        WHERE relname IN ('executions', 'execution_progress')`.execute(transaction);
      return rows[0]?.n ?? 0;
    };
    // More executions than PostgreSQL needs before it keeps a generic plan.
    for (let round = 0; round < 10; round += 1) {
      const before = await read();
      const claimed = [
        ...(await claimExecutions(transaction, { ...wish, fullLanes: [] })),
        ...(await claimExecutions(transaction, { ...wish, places: 2, fullLanes: [OWNER] })),
      ];
      expect(claimed).toHaveLength(12);
      const writes = claimed.slice(0, 1).map(({ id, epoch }) => nothingButWrite(id, epoch, { status: 'running' }));
      expect(await advanceExecutions(transaction as unknown as Database, writes)).toHaveLength(1);
      expect((await read()) - before).toBeLessThan(40);
    }
  });
  await fresh.destroy();
});

test('claims nothing until the queue changes while one owner has its share and no other waits', async () => {
  const { claim: claimNext, queueChanged } = leasedExecutions(
    { database, onSignals: () => {}, onSuspending: () => {} },
    { worker: 'w', leaseMs: 8_000 },
    { kinds: ['workflow'], places: 8, ownerShare: 0.75 },
  );
  const full = new Map([[OWNER, 6]]);
  await engine.run('any', { ownerId: OWNER });
  expect(await claimNext(full)?.()).toMatchObject({ rows: [], empty: false });
  expect(claimNext(full)).toBe(undefined);
  expect(claimNext(new Map([[OWNER, 5]]))).not.toBe(undefined);
  const id = await engine.run('any', { ownerId: OTHER_OWNER });
  queueChanged();
  const query = claimNext(full);
  // A claim that began before the queue changed does not describe the current queue.
  const earlier = claimNext(full);
  expect(await query?.()).toMatchObject({ rows: [{ id }] });
  const answer = earlier?.();
  queueChanged();
  expect(await answer).toMatchObject({ rows: [] });
  expect(claimNext(full)).not.toBe(undefined);
});

test('slow runs of one owner leave slots to others', async () => {
  engine.definitions.set('slow', workflow({ a: script('slow') }));
  engine.definitions.set('quick', workflow({ a: script('quick') }));
  engine.tasks.set(
    'slow',
    (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('over')))),
  );
  engine.work({ places: 8 });
  for (let count = 0; count < 30; count += 1) await engine.run('slow');
  await waitFor('the places of one owner to be taken', () => engine.begun.length >= 6);
  await engine.until(await engine.run('quick', { ownerId: OTHER_OWNER }), 'completed');
});

test('five hundred waiting executions do not delay a new one', async () => {
  engine.definitions.set('listens', workflow({ approval: listenTo('go') }));
  engine.definitions.set('quick', workflow({ a: script('quick') }));
  const worker = engine.work({ places: 20 });
  // In groups of the size of the connection pool, because the last of 500 concurrent writes could wait too long for a
  // connection.
  for (let taken = 0; taken < 500; taken += 10)
    await Promise.all(Array.from({ length: 10 }, () => engine.run('listens')));
  await waitFor('all to wait', async () => {
    const { rows } = await sql`SELECT FROM executions WHERE status <> 'waiting'`.execute(database);
    return rows.length === 0 && worker.held() === 0;
  });
  await engine.until(await engine.run('quick'), 'completed');
  await engine.executions.publish(event('all', 'go'));
  await waitFor(
    'all to have ended',
    async () => (await sql`SELECT FROM executions WHERE completed_at IS NULL`.execute(database)).rows.length === 0,
  );
});

test('stores a value too large for a row as a file, and fails the run for a value too large for a file', async () => {
  const large = 'x'.repeat(400 * 1024);
  engine.definitions.set('large', workflow({ a: script('large'), b: script('b') }));
  engine.definitions.set('huge', workflow({ a: script('huge') }));
  engine.tasks.set('large', async () => large);
  engine.tasks.set('huge', async () => 'x'.repeat(17 * 1024 * 1024));
  engine.work();
  const id = await engine.run('large', { input: { large } });
  const done = await engine.until(id, 'completed');
  expect(done).toMatchObject({ triggerInput: null, triggerInputFile: expect.any(String), result: 'b' });
  expect(JSON.parse(Buffer.from(files.get(done.triggerInputFile ?? '') ?? []).toString())).toEqual({ large });
  const huge = await engine.until(await engine.run('huge'), 'failed');
  expect(huge.error).toMatchObject({
    status: 413,
    detail: 'the output is larger than 8388608 bytes of JSON',
  });
  expect(huge.losses).toBe(0);
  await expect(engine.run('large', { input: { large: 'x'.repeat(17 * 1024 * 1024) } })).rejects.toThrow(
    PayloadTooLarge,
  );
});

test('a run with many branches has some of them outside at a time, and all of them in the end', async () => {
  const branches = Array.from({ length: 120 }, (_, at) => ({ [`b${at}`]: script('branch') }));
  engine.definitions.set('wide', workflow({ f: { fork: { branches } } }));
  let outside = 0;
  let most = 0;
  engine.tasks.set('branch', async () => {
    most = Math.max(most, ++outside);
    await new Promise(setImmediate);
    outside -= 1;
    return 'done';
  });
  engine.work();
  const done = await engine.until(await engine.run('wide'), 'completed');
  expect(done.result).toEqual(branches.map(() => 'done'));
  expect(most).toBe(50);
});

test('a value that the database rejects fails only its run, permanently', async () => {
  engine.definitions.set('fine', workflow({ a: script('a') }));
  engine.definitions.set(
    'zero',
    workflow({ a: { emit: { event: { with: { source: 's', type: 'with \u0000 zero' } } } } }),
  );
  engine.work();
  const [bad, good] = await Promise.all([engine.run('zero'), engine.run('fine')]);
  expect((await engine.until(bad, 'failed')).error).toMatchObject({ title: 'Not storable' });
  await engine.until(good, 'completed');
});

test('a replay runs again from a step on, and leaves its source unchanged', async () => {
  engine.definitions.set('abc', workflow({ a: script('a'), listens: listenTo('go'), b: script('b'), c: script('c') }));
  engine.work();
  const input = { host: 'web-1' };
  const source = await engine.run('abc', { input });
  await engine.until(source, 'waiting');
  await engine.executions.publish(event('1', 'go'));
  await engine.until(source, 'completed');
  const before = await engine.row(source);
  engine.begun.length = 0;
  const replayFrom = (await findTracedStep(database, source, 'b')) ?? null;
  const replay = { input, ownerId: OTHER_OWNER, triggerType: 'replay', sourceExecutionId: source, replayFrom } as const;
  const done = await engine.until(await engine.run('abc', replay), 'completed');
  expect(done).toMatchObject({
    sourceExecutionId: source,
    triggerInput: input,
    ownerId: OTHER_OWNER,
    result: 'c',
  });
  expect(engine.begun.map(({ code }) => code)).toEqual(['b', 'c']);
  expect(await engine.row(source)).toEqual(before);
  expect(await findTracedStep(database, source, 'never came')).toBeUndefined();
});

test('deletes executions that ended long ago with all their data', async () => {
  engine.definitions.set('one', workflow({ a: script('a') }));
  engine.work();
  const [old, fresh] = [await engine.run('one', { input: 'x'.repeat(300 * 1024) }), await engine.run('one')];
  for (const id of [old, fresh]) await engine.until(id, 'completed');
  await engine.stopAll();
  await sql`UPDATE executions SET completed_at = now() - interval '31 days' WHERE id = ${old}`.execute(database);
  const { handle } = executionHousekeeping({ database, payloads })['housekeeping.executions'] ?? {};
  const job = {
    id: 1,
    payload: null,
    attempt: 1,
    requestId: undefined,
    signal: new AbortController().signal,
    finish: async () => {},
  };
  expect(await handle?.(job)).toEqual({ executions: 1, outlived: 0 });
  expect(files.size).toBe(0);
  for (const table of ['executionSteps', 'executionChanges'] as const) {
    const rows = await database
      .selectFrom(table)
      .select('executionId')
      .where('executionId', 'in', [old, fresh])
      .execute();
    expect(new Set(rows.map(({ executionId }) => executionId))).toEqual(new Set([fresh]));
  }
});
