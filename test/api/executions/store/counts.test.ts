import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { countedLater, countedLists, countedStatuses, findPlace } from '#api/executions/store/counts.ts';
import { foldAllChanges, foldChanges, vacuumChanges } from '#api/executions/store/noted-changes.ts';
import { fillExecutionCounts } from '#api/postgres/migrations/0064-execution-counts.ts';
import {
  countWorkflowExecutions,
  keptCountOfWorkflow,
  listWorkflowExecutions,
} from '#api/workflows/tables/workflow-executions.ts';
import { EXECUTION_STATUSES } from '#schemas/api/execution-status.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

const { database } = await usePostgres();
const OWNERS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;

/**
 * Inserts `count` executions of a workflow between two times (seconds of a day): every third belongs to the first
 * owner, every tenth to an example.
 */
async function takeIn(workflowId: string, count: number, [from, to]: readonly [number, number]): Promise<void> {
  await sql`
    INSERT INTO executions (id, kind, workflow_id, version_id, owner_id, status, trigger_type, root_id, example_id, created_at)
    SELECT 'exec_' || gen_random_uuid(), 'workflow', ${workflowId}, 'wfh_1', CASE WHEN i % 3 = 0 THEN ${OWNERS[0]}::uuid ELSE ${OWNERS[1]}::uuid END,
      'pending', 'api', 'exec_root', CASE WHEN i % 10 = 0 THEN 'example' END,
      '2026-01-01'::timestamptz + (${from}::float8 + (i * 7919 % ${count}::int) * (${to - from}::float8 / ${count}::int)) * interval '1 second'
    FROM generate_series(1, ${count}::int) AS i`.execute(database);
  // Autovacuum may have analysed the table while it was empty. Each of thousands of rows would then be searched in the
  // whole table.
  await sql`ANALYZE executions`.execute(database);
}

/** Ends some pending executions as failed or completed. */
async function end(some: number): Promise<void> {
  await sql`
    UPDATE executions SET status = 'running', lease_until = now(), started_at = now()
    WHERE id IN (SELECT id FROM executions WHERE status = 'pending' ORDER BY md5(id) LIMIT ${some})`.execute(database);
  await sql`
    UPDATE executions SET status = CASE WHEN md5(id) < '4' THEN 'failed' ELSE 'completed' END, lease_until = NULL, completed_at = now()
    WHERE id IN (SELECT id FROM executions WHERE status = 'running' ORDER BY md5(id) LIMIT ${Math.ceil(some * 0.9)})`.execute(
    database,
  );
}

/** Ranges whose counts do not match their executions. */
async function wrongRanges(): Promise<unknown[]> {
  const statuses = EXECUTION_STATUSES.map(
    (status) => sql`count(*) FILTER (WHERE e.status = ${status}) IS DISTINCT FROM r.${sql.ref(status)}`,
  );
  const { rows } = await sql`
    SELECT r.list, r.since FROM (
      SELECT *, lead(since, 1, 'infinity') OVER (PARTITION BY list ORDER BY since) AS below FROM execution_counts
    ) AS r LEFT JOIN executions AS e ON e.created_at >= r.since AND e.created_at < r.below AND r.list IN (
      'all', 'all workflow', e.workflow_id, e.workflow_id || ' of ' || e.owner_id, e.workflow_id || ' example ' || e.example_id,
      e.workflow_id || ' of ' || e.owner_id || ' example ' || e.example_id, 'seen by ' || e.owner_id, 'seen by ' || e.owner_id || ' workflow'
    )
    GROUP BY r.list, r.since, r.below, ${sql.join(EXECUTION_STATUSES.map((status) => sql`r.${sql.ref(status)}`))}
    HAVING ${sql.join(statuses, sql` OR `)}`.execute(database);
  return rows;
}

test('the counts match the rows after any changes, in any order', async () => {
  const random = seededRandom(11);
  const folds = async () => {
    // Two concurrently, and only part of the rows: remaining rows may be older than counted ones.
    const some = () => sql`SELECT fold_execution_counts(${random.between(1, 3_000)})`.execute(database);
    for (let n = random.between(0, 3); n > 0; n -= 1) await Promise.all([some(), some()]);
  };
  for (let round = 0; round < 5; round += 1) {
    const from = random.between(0, 80_000);
    await takeIn(random.pick(['wf_a', 'wf_b']), random.between(1, 3_000), [from, from + random.between(1, 6_000)]);
    await folds();
    await end(random.between(1, 2_000));
    await folds();
    await sql`DELETE FROM executions WHERE id IN (SELECT id FROM executions WHERE status = 'completed' ORDER BY created_at LIMIT ${random.between(0, 800)})`.execute(
      database,
    );
    await folds();
  }
  await findPlace(database, 'none', undefined, { limit: 1, offset: 0 });
  expect(await foldChanges(database, 'executions')).toBe(0);
  expect(await wrongRanges()).toEqual([]);
  const totals = await sql<{ wrong: number }>`
    SELECT (SELECT count(*) FROM executions) - (SELECT sum(total) FROM execution_counts WHERE list = 'all') AS wrong`.execute(
    database,
  );
  expect(Number(totals.rows[0]?.wrong)).toBe(0);
  await sql`UPDATE executions SET status = 'cancelled', lease_until = NULL, completed_at = now() WHERE completed_at IS NULL`.execute(
    database,
  );
  await sql`DELETE FROM executions`.execute(database);
  await findPlace(database, 'none', undefined, { limit: 1, offset: 0 });
  const left = await sql<{ count: number }>`SELECT count(*) AS count FROM execution_counts`.execute(database);
  expect(left.rows[0]?.count).toBe(0);
});

test('a distant page of a workflow continues the pages before it, by every filter', async () => {
  // Old rows after new ones, and many at the same time.
  await takeIn('wf_far', 6_000, [40_000, 50_000]);
  await foldChanges(database, 'executions');
  await takeIn('wf_far', 5_000, [20_000, 45_000]);
  await takeIn('wf_far', 300, [30_000, 30_000]);
  await end(8_000);
  const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000);
  const long = { limit: 12_000, offset: 0 };
  for (const filters of [
    {},
    { statuses: ['completed'] },
    { statuses: ['failed', 'pending', 'waiting'] },
    { ownerId: OWNERS[1] },
    { ownerId: OWNERS[1], statuses: ['completed', 'running'] },
    { to: at(44_444) },
    { from: at(24_000), to: at(46_000), statuses: ['completed', 'pending'] },
    { exampleId: 'example', to: at(60_000) },
    { exampleId: 'example', ownerId: OWNERS[1] },
  ] as const) {
    const kept = await keptCountOfWorkflow(database, 'wf_far', filters)?.();
    const all = (await listWorkflowExecutions(database, 'wf_far', filters, long)).map(({ id }) => id);
    if ('to' in filters) expect(kept).toBe(undefined);
    else expect(kept).toBe(all.length);
    expect(all.length).toBe(await countWorkflowExecutions(database, 'wf_far', filters, 100_000));
    expect(all.length).toBeGreaterThan(700);
    for (const offset of [1_990, 2_001, 2_345, 3_000, 3_999, all.length - 20, all.length]) {
      const page = await listWorkflowExecutions(database, 'wf_far', filters, { limit: 50, offset });
      expect([filters, offset, page.map(({ id }) => id)]).toEqual([filters, offset, all.slice(offset, offset + 50)]);
    }
  }
});

test('counts existing rows at once, as if they had been counted one by one', async () => {
  await takeIn('wf_before', 9_000, [0, 3_000]);
  await end(5_000);
  await sql`TRUNCATE execution_counts, execution_count_changes`.execute(database);
  await fillExecutionCounts(database);
  expect(await wrongRanges()).toEqual([]);
  const largest = await sql<{
    most: number;
  }>`SELECT max(total) AS most FROM execution_counts WHERE list = 'all'`.execute(database);
  expect(largest.rows[0]?.most).toBeLessThan(5_000);
  await takeIn('wf_before', 3_000, [2_000, 4_000]);
  expect(await keptCountOfWorkflow(database, 'wf_before', {})?.()).toBe(12_000);
  await foldAllChanges(database, 'executions');
  expect(await wrongRanges()).toEqual([]);
  expect(await keptCountOfWorkflow(database, 'wf_before', { statuses: ['pending'] })?.()).toBe(7_000);
  expect(await keptCountOfWorkflow(database, 'wf_before', { ownerId: OWNERS[0] })?.()).toBe(4_000);
  expect(await keptCountOfWorkflow(database, 'wf_nowhere', {})?.()).toBe(0);
});

test('distinguishes a position from a shorter list and from an uncounted one', async () => {
  await takeIn('wf_place', 5_000, [0, 5_000]);
  const list = countedLists.unit('wf_place');
  const place = await findPlace(database, list, ['pending'], { limit: 50, offset: 4_500 });
  if (typeof place === 'string') throw new Error(place);
  expect(place.offset).toBeLessThan(2_001);
  expect(place.below?.getTime()).toBeLessThan(Date.UTC(2026, 0, 1, 1, 0));
  expect(await findPlace(database, list, ['pending'], { limit: 50, offset: 5_000 })).toBe('beyond');
  expect(await findPlace(database, list, ['failed'], { limit: 50, offset: 0 })).toBe('beyond');
  expect(await findPlace(database, 'wf_none', undefined, { limit: 50, offset: 0 })).toBe('uncounted');
  expect(await countedStatuses(database, list)).toEqual(new Map([['pending', 5_000]]));
  const later = await countedLater(database, list, undefined, new Date(0));
  expect(later.count).toBe(5_000);
  expect(await countedLater(database, list, ['failed'], new Date(0))).toEqual({ below: later.below, count: 0 });
});

test('folded changes free their pages, so that no query scans them in vain', async () => {
  await takeIn('wf_room', 1_000, [0, 1_000]);
  await foldAllChanges(database, 'executions');
  const room = async () => {
    const { rows } = await sql<{ bytes: string }>`SELECT pg_relation_size('execution_count_changes') AS bytes`.execute(
      database,
    );
    return Number(rows[0]?.bytes);
  };
  expect(await room()).toBeGreaterThan(0);
  // A concurrent ANALYZE of a table in this database prevents the removal of rows that it might read.
  await waitFor('the room to be given back', async () => {
    await vacuumChanges(database);
    return (await room()) === 0;
  });
});

test('does not wait for an endless stream of changes by others', async () => {
  await takeIn('wf_busy', 50, [0, 50]);
  let writing = true;
  const writer = (async () => {
    while (writing) await takeIn('wf_busy', 3, [0, 50]);
  })();
  await foldAllChanges(database, 'executions', 20);
  writing = false;
  await writer;
  await foldAllChanges(database, 'executions', 20);
  expect(await foldChanges(database, 'executions')).toBe(0);
  expect(await wrongRanges()).toEqual([]);
});
