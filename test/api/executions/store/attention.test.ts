import { sql } from 'kysely';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { needsAttention } from '#api/executions/store/attention.ts';
import { foldChanges } from '#api/executions/store/noted-changes.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { usePostgres } from '#test/support/use-services.ts';

const NOTHING = {
  pending: false,
  suspectLosses: null,
  held: false,
  leaseEnded: false,
  toCancel: false,
  toRoute: false,
  toSearch: false,
  toNotify: false,
  taskLeaseEnded: false,
  toCount: false,
  nextWakeMs: null,
  nextAdmissionMs: null,
};
let database: Database;
beforeAll(async () => {
  ({ database } = await usePostgres());
});
afterEach(async () => {
  for (const table of ['executions', 'executionEvents', 'executionWaits'] as const)
    await database.deleteFrom(table).execute();
  await forgetChanges();
});

/** Deletes rows that were inserted without being counted. */
const forgetChanges = async () => {
  for (const noted of ['execution_count_changes', 'agent_example_changes'])
    await sql`DELETE FROM ${sql.table(noted)}`.execute(database);
};

/** Inserts executions in their final state, without the steps that led to it. */
async function put(count: number, set: Readonly<Record<string, string>>): Promise<void> {
  const columns = Object.keys(set).map((name) => sql.ref(name));
  const values = Object.values(set).map((value) => sql.raw(value));
  await database.transaction().execute(async (transaction) => {
    await sql`ALTER TABLE executions DISABLE TRIGGER USER`.execute(transaction);
    await sql`
      INSERT INTO executions (id, kind, workflow_id, version_id, trigger_type, root_id, ${sql.join(columns)})
      SELECT 'exec_' || gen_random_uuid(), 'workflow', 'wf', 'version', 'api', '', ${sql.join(values)} FROM generate_series(1, ${count}::int)`.execute(
      transaction,
    );
    await sql`ALTER TABLE executions ENABLE TRIGGER USER`.execute(transaction);
  });
}

interface RowsRead {
  /** Without an index. */
  readonly scanned: number;
  /** Through an index. */
  readonly fetched: number;
}

/** Number of execution rows that a query reads. */
function rowsRead(ask: (transaction: Db) => Promise<unknown>): Promise<RowsRead> {
  return database.transaction().execute(async (transaction) => {
    const before = await counted(transaction);
    await ask(transaction);
    const after = await counted(transaction);
    return { scanned: after.scanned - before.scanned, fetched: after.fetched - before.fetched };
  });
}

async function counted(db: Db): Promise<RowsRead> {
  const { rows } = await sql<RowsRead>`
    SELECT seq_tup_read::int AS scanned, idx_tup_fetch::int AS fetched FROM pg_stat_xact_user_tables
    WHERE relname = 'executions' AND schemaname = current_schema()`.execute(db);
  return rows[0] ?? { scanned: 0, fetched: 0 };
}

test('reports nothing without work', async () => {
  expect(await needsAttention(database, ['workflow', 'agent'])).toEqual(NOTHING);
});

test('reports each kind of work, and nothing else', async () => {
  const seen = async (set: Readonly<Record<string, string>>) => {
    await put(1, set);
    const attention = await needsAttention(database, ['workflow', 'agent']);
    await database.deleteFrom('executions').execute();
    await forgetChanges();
    return attention;
  };
  expect(await seen({ status: `'pending'` })).toEqual({ ...NOTHING, pending: true });
  const later = `now() + interval '1 minute'`;
  expect(await seen({ status: `'running'`, lease_until: later })).toEqual({ ...NOTHING, held: true });
  const ended = { status: `'finalizing'`, lease_until: `now() - interval '1 second'` };
  expect(await seen(ended)).toEqual({ ...NOTHING, held: true, leaseEnded: true });
  expect(await seen({ status: `'waiting'`, cancel_requested_at: 'now()' })).toEqual({ ...NOTHING, toCancel: true });
  const untold = { status: `'completed'`, completed_at: 'now()', awaited: 'true' };
  expect(await seen(untold)).toEqual({ ...NOTHING, toNotify: true });
  expect((await seen({ status: `'waiting'`, wake_at: later })).nextWakeMs).toBeGreaterThan(1_000);
});

test('reports uncounted changes until they are counted', async () => {
  await put(1, { status: `'waiting'` });
  await sql`UPDATE executions SET status = 'pending'`.execute(database);
  expect(await needsAttention(database, ['workflow', 'agent'])).toEqual({ ...NOTHING, pending: true, toCount: true });
  expect(await foldChanges(database, 'executions')).toBe(1);
  expect(await needsAttention(database, ['workflow', 'agent'])).toEqual({ ...NOTHING, pending: true });
});

test('finds one expired lease among many', async () => {
  await put(300, { status: `'running'`, lease_until: `now() + interval '1 minute'` });
  expect(await needsAttention(database, ['workflow', 'agent'])).toEqual({ ...NOTHING, held: true });
  await put(1, { status: `'running'`, lease_until: `now() - interval '1 minute'` });
  expect(await needsAttention(database, ['workflow', 'agent'])).toEqual({ ...NOTHING, held: true, leaseEnded: true });
});

/** The planner assumes that queued rows are spread over the table, where the first would be found soon. */
test('reads only the leased executions, with many ended executions stored before many queued ones', async () => {
  await put(20_000, { status: `'completed'`, completed_at: 'now()' });
  await put(20_000, { status: `'pending'` });
  await put(50, { status: `'running'`, lease_until: `now() + interval '1 minute'` });
  await sql`ANALYZE executions`.execute(database);
  const { scanned, fetched } = await rowsRead(async (transaction) => {
    expect(await needsAttention(transaction, ['workflow', 'agent'])).toEqual({ ...NOTHING, pending: true, held: true });
  });
  expect(scanned).toBe(0);
  expect(fetched).toBeLessThan(100);
});

test('reads only the leased executions, if the planner estimates that all are leased and all have ended', async () => {
  const later = `now() + interval '1 minute'`;
  await put(3_000, { status: `'running'`, lease_until: later });
  await sql`ANALYZE executions`.execute(database);
  await sql`UPDATE executions SET status = 'completed', lease_until = NULL, completed_at = now()`.execute(database);
  await put(5, { status: `'running'`, lease_until: later });
  expect(await rowsRead((transaction) => needsAttention(transaction, ['workflow', 'agent']))).toEqual({
    scanned: 0,
    fetched: 5,
  });
});
