import { sql } from 'kysely';
import { createTotals } from '#api/executions/lists/totals.ts';
import {
  countAllRecentExecutions,
  countRecentExecutions,
  keptCountOfRecent,
  listRecentExecutions,
  type RecentFilters,
} from '#api/executions/store/recent.ts';
import type { Database } from '#api/postgres/database.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import type { BenchContext } from './context.ts';
import { countExecutions } from './count-executions.ts';
import { withFreshPostgres } from './fresh-postgres.ts';
import { type Pages, pageRow, readPages } from './pages.ts';
import type { BenchRow } from './row.ts';
import { vacuumUntilVisible } from './vacuum-until-visible.ts';

const EXECUTIONS = 1_000_000;
const WORKFLOWS = 300;
const ROUNDS = 40;
const OWNER = '11111111-1111-4111-8111-111111111111';
const ADMIN: Viewer = { userId: undefined, administrator: true };
const USER: Viewer = { userId: OWNER, administrator: false };

/**
 * Measures the list of executions of all workflows and agents, with a million executions of three hundred workflows. A
 * tenth of the workflows belongs to the user, and the others are shared with the user. Reads the page and then its
 * total, as the route does.
 */
export async function benchRecentLists({ progress }: Pick<BenchContext, 'progress'>): Promise<BenchRow[]> {
  return withFreshPostgres(async (database) => {
    progress(`recent lists: ${EXECUTIONS} executions of ${WORKFLOWS} workflows are made`);
    await fillRecentExecutions(database);
    const rows: BenchRow[] = [];
    for (const [what, viewer, filters, offset] of lists())
      rows.push(
        pageRow(
          `a page of 1,000,000 executions of everything: ${what}`,
          await measure(database, viewer, { kinds: ['workflow', 'agent'], ...filters }, offset),
        ),
      );
    return rows;
  });
}

function lists(): (readonly [string, Viewer, Partial<RecentFilters>, number])[] {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
  return [
    ['all, of an administrator', ADMIN, {}, 0],
    ['all, of a user', USER, {}, 0],
    ['from the 10,000th on', ADMIN, {}, 10_000],
    ['from the 500,000th on', ADMIN, {}, 500_000],
    ['from the 10,000th on, of a user', USER, {}, 10_000],
    ['up to ten days ago, from the 300,000th on', ADMIN, { to: ago(10) }, 300_000],
    [
      'completed, of one workflow, from the 200,000th on',
      ADMIN,
      { kinds: ['workflow'], unitId: idOf(7), statuses: ['completed'] },
      200_000,
    ],
    ['failed, from the 5,000th on', ADMIN, { statuses: ['failed'] }, 5_000],
    ['failed, waiting and running', ADMIN, { statuses: ['failed', 'waiting', 'running'] }, 0],
    ['failed, of a user', USER, { statuses: ['failed'] }, 0],
    ['of a week', ADMIN, { from: ago(7) }, 0],
    ['failed, of a week up to yesterday', ADMIN, { statuses: ['failed'], from: ago(7), to: ago(1) }, 0],
    ['of one workflow', ADMIN, { kinds: ['workflow'], unitId: idOf(7) }, 0],
    ['of agents, which do not exist', ADMIN, { kinds: ['agent'] }, 0],
  ];
}

const idOf = (number: number): string => `wf_${String(number).padStart(20, '0')}`;

async function fillRecentExecutions(database: Database): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`INSERT INTO users (id, username, email, role) VALUES (${OWNER}, 'lister', 'lister@example.org', 'user')`.execute(
      transaction,
    );
    await sql`
      INSERT INTO workflows (id, slug, kind, owner_id, visibility, current_version_id)
      SELECT 'wf_' || lpad(i::text, 20, '0'), 'workflow-' || i, 'workflow', CASE WHEN i % 10 = 0 THEN ${OWNER}::uuid END, 'shared',
        'wfh_' || lpad(i::text, 20, '0')
      FROM generate_series(0, ${WORKFLOWS - 1}::int) AS i`.execute(transaction);
    await sql`
      INSERT INTO workflow_versions (id, workflow_id, number, tag, yaml_content, definition, content_hash, created_by)
      SELECT current_version_id, id, 1, '1', '', '{}', repeat('0', 64), 'operator' FROM workflows`.execute(transaction);
  });
  await sql`ALTER TABLE executions DISABLE TRIGGER USER`.execute(database);
  for (let from = 0; from < EXECUTIONS; from += 100_000)
    await sql`
      INSERT INTO executions (id, kind, workflow_id, version_id, owner_id, status, trigger_type, trigger_input, result, root_id,
        lease_until, created_at, started_at, completed_at)
      SELECT id, 'workflow', 'wf_' || lpad(number::text, 20, '0'), 'wfh_' || lpad(number::text, 20, '0'), CASE WHEN i % 100 = 2 THEN ${OWNER}::uuid END, status, 'api', '{"n":1}', '{"ok":true}', id,
        CASE WHEN status = 'running' THEN now() END, at, at, CASE WHEN status IN ('completed', 'failed') THEN at END
      FROM (
        SELECT i, CASE WHEN i % 2 = 0 THEN 7 ELSE (i / 2) % ${WORKFLOWS} END AS number, 'exec_' || lpad(i::text, 26, '0') AS id,
          now() - (${EXECUTIONS} - i) * interval '30 days' / ${EXECUTIONS} AS at,
          CASE WHEN i % 1000 = 0 THEN 'running' WHEN i % 1000 = 500 THEN 'waiting' WHEN i % 50 = 3 THEN 'failed' ELSE 'completed' END AS status
        FROM generate_series(${from}::int, ${from + 99_999}::int) AS i
      ) AS made`.execute(database);
  await sql`ALTER TABLE executions ENABLE TRIGGER USER`.execute(database);
  await countExecutions(database);
  await vacuumUntilVisible(database, ['executions', 'workflows']);
}

function measure(database: Database, viewer: Viewer, filters: RecentFilters, offset: number): Promise<Pages> {
  const countTotal = createTotals();
  return readPages(ROUNDS, async () => {
    const [page] = await Promise.all([
      listRecentExecutions(database, viewer, filters, { limit: 50, offset }),
      countTotal('one', {
        upTo: (atMost) => countRecentExecutions(database, viewer, filters, atMost),
        kept: keptCountOfRecent(database, viewer, filters),
        all: () => countAllRecentExecutions(database, viewer, filters),
      }),
    ]);
    return page.length;
  });
}
