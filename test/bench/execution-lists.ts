import { sql } from 'kysely';
import { createTotals } from '#api/executions/lists/totals.ts';
import type { Database } from '#api/postgres/database.ts';
import {
  countAllWorkflowExecutions,
  countWorkflowExecutions,
  keptCountOfWorkflow,
  listWorkflowExecutions,
  type WorkflowExecutionFilters,
} from '#api/workflows/tables/workflow-executions.ts';
import type { BenchContext } from './context.ts';
import { countExecutions } from './count-executions.ts';
import { withFreshPostgres } from './fresh-postgres.ts';
import { type Pages, pageRow, readPages } from './pages.ts';
import type { BenchRow } from './row.ts';
import { vacuumUntilVisible } from './vacuum-until-visible.ts';

const EXECUTIONS = 1_000_000;
const ROUNDS = 60;
const WORKFLOW = `wf_${'0'.repeat(20)}`;
const OWNER = '11111111-1111-4111-8111-111111111111';

/**
 * Lists of the executions of a workflow that has a million, by every filter: page and total, as the route requests
 * them, sequentially. Rare values match a thousandth: running executions, those of an example, those of another user.
 */
export async function benchExecutionLists({ progress }: Pick<BenchContext, 'progress'>): Promise<BenchRow[]> {
  return withFreshPostgres(async (database) => {
    progress(`lists: ${EXECUTIONS} executions are made`);
    await fillExecutions(database, EXECUTIONS);
    const rows: BenchRow[] = [];
    for (const [what, filters, offset] of lists())
      rows.push(pageRow(`a page of 1,000,000 executions: ${what}`, await measure(database, what, filters, offset)));
    return rows;
  });
}

/** Every filter of the list, and distant pages. */
function lists(): (readonly [string, WorkflowExecutionFilters, number])[] {
  const day = 86_400_000;
  const now = Date.now();
  return [
    ['all', {}, 0],
    ['all, from the 10,000th on', {}, 10_000],
    ['all, from the 500,000th on', {}, 500_000],
    ['all, from the 999,000th on', {}, 999_000],
    ['none, beyond the last', {}, 2_000_000],
    ['completed, from the 700,000th on', { statuses: ['completed'] }, 700_000],
    ['failed, from the 10,000th on', { statuses: ['failed'] }, 10_000],
    [
      'completed and failed of ten days up to ten days ago, from the 200,000th on',
      { statuses: ['completed', 'failed'], from: new Date(now - 20 * day), to: new Date(now - 10 * day) },
      200_000,
    ],
    ['completed', { statuses: ['completed'] }, 0],
    ['running, waiting and failed', { statuses: ['running', 'waiting', 'failed'] }, 0],
    ['of a week', { from: new Date(now - 7 * day) }, 0],
    [
      'failed, of a week up to yesterday',
      { statuses: ['failed'], from: new Date(now - 7 * day), to: new Date(now - day) },
      0,
    ],
    ['of an example', { exampleId: 'example-1' }, 0],
    ['of an example and one owner, beyond the last', { exampleId: 'example-1', ownerId: OWNER }, 10_000],
    ['of one owner', { ownerId: OWNER }, 0],
    ['failed ones of one owner', { ownerId: OWNER, statuses: ['failed'] }, 0],
  ];
}

/** A million executions over thirty days, as in a busy installation. Half of the other user's executions failed. */
async function fillExecutions(database: Database, count: number): Promise<void> {
  await sql`ALTER TABLE executions DISABLE TRIGGER USER`.execute(database);
  for (let from = 0; from < count; from += 100_000)
    await sql`
      INSERT INTO executions (id, kind, workflow_id, version_id, owner_id, status, trigger_type, trigger_input, result, root_id, example_id,
        lease_until, created_at, started_at, completed_at)
      SELECT id, 'workflow', ${WORKFLOW}, 'wfh_1', CASE WHEN i % 2000 IN (2, 1003) THEN ${OWNER}::uuid END, status, 'api', '{"n":1}', '{"ok":true}', id,
        CASE WHEN i % 1000 = 1 THEN 'example-' || i % 7 END,
        CASE WHEN status = 'running' THEN now() END, at, at, CASE WHEN status IN ('completed', 'failed') THEN at END
      FROM (
        SELECT i, 'exec_' || lpad(i::text, 26, '0') AS id, now() - (${count} - i) * interval '30 days' / ${count} AS at,
          CASE WHEN i % 1000 = 0 THEN 'running' WHEN i % 1000 = 500 THEN 'waiting' WHEN i % 50 = 3 THEN 'failed' ELSE 'completed' END AS status
        FROM generate_series(${from}::int, ${Math.min(from + 100_000, count) - 1}::int) AS i
      ) AS made`.execute(database);
  await sql`ALTER TABLE executions ENABLE TRIGGER USER`.execute(database);
  await countExecutions(database);
  await vacuumUntilVisible(database, ['executions']);
}

function measure(database: Database, key: string, filters: WorkflowExecutionFilters, offset: number): Promise<Pages> {
  const countTotal = createTotals();
  return readPages(ROUNDS, async () => {
    const [page] = await Promise.all([
      listWorkflowExecutions(database, WORKFLOW, filters, { limit: 50, offset }),
      countTotal(key, {
        upTo: (atMost) => countWorkflowExecutions(database, WORKFLOW, filters, atMost),
        kept: keptCountOfWorkflow(database, WORKFLOW, filters),
        all: () => countAllWorkflowExecutions(database, WORKFLOW, filters),
      }),
    ]);
    return page.length;
  });
}
