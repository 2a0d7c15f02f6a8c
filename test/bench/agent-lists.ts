import { sql } from 'kysely';
import { type AgentExecutionListQuery, listAgentExecutionIds } from '#api/agents/tables/agent-execution-list.ts';
import { readAgentExecutions } from '#api/agents/tables/agent-executions.ts';
import type { Database } from '#api/postgres/database.ts';
import type { BenchContext } from './context.ts';
import { countExecutions } from './count-executions.ts';
import { withFreshPostgres } from './fresh-postgres.ts';
import { type Pages, pageRow, readPages } from './pages.ts';
import type { BenchRow } from './row.ts';
import { vacuumUntilVisible } from './vacuum-until-visible.ts';

const EXECUTIONS = 1_000_000;
const ROUNDS = 40;
const AGENT = `awf_${'A'.repeat(20)}`;
const OWNER = '11111111-1111-4111-8111-111111111111';
const ALL: AgentExecutionListQuery = {
  agentId: AGENT,
  viewer: { all: true },
  filters: {},
  sort: 'createdAt',
  order: 'desc',
  scanLimit: 5_000,
  limit: 50,
  offset: 0,
};

/**
 * Lists of the executions of an agent that has a million: a page with its total, as the route reads them, sequentially.
 */
export async function benchAgentLists({ progress }: Pick<BenchContext, 'progress'>): Promise<BenchRow[]> {
  return withFreshPostgres(async (database) => {
    progress(`agent lists: ${EXECUTIONS} executions are made`);
    await fillAgentExecutions(database, EXECUTIONS);
    const rows: BenchRow[] = [];
    for (const [what, query] of lists())
      rows.push(
        pageRow(`a page of 1,000,000 runs of an agent: ${what}`, await measure(database, { ...ALL, ...query })),
      );
    return rows;
  });
}

function lists(): (readonly [string, Partial<AgentExecutionListQuery>])[] {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
  const mine = { all: false, userId: OWNER } as const;
  return [
    ['all', {}],
    ['all, from the 10,000th on', { offset: 10_000 }],
    ['all, from the 500,000th on', { offset: 500_000 }],
    ['all, upwards, from the 300,000th on', { order: 'asc', offset: 300_000 }],
    ['by completedAt', { sort: 'completedAt' }],
    ['by completedAt, from the 500,000th on', { sort: 'completedAt', offset: 500_000 }],
    ['by status, from the 500,000th on', { sort: 'status', offset: 500_000 }],
    ['by exampleName, from the 500,000th on', { sort: 'exampleName', offset: 500_000 }],
    ['by exampleName, upwards', { sort: 'exampleName', order: 'asc' }],
    ['by exampleName, upwards, from the 300,000th on', { sort: 'exampleName', order: 'asc', offset: 300_000 }],
    ['failed', { filters: { statuses: ['failed'] } }],
    ['failed, by completedAt', { sort: 'completedAt', filters: { statuses: ['failed'] } }],
    ['of a batch', { filters: { batchId: 'batch 77' } }],
    ['of an example', { filters: { exampleName: 'example 42' } }],
    ['part of the name of an example', { filters: { exampleNameContains: 'nowhere' } }],
    ['part of a name, as many looked at as may be', { scanLimit: 10_000, filters: { exampleNameContains: 'nowhere' } }],
    ['with feedback', { filters: { hasFeedback: true } }],
    ['part of the feedback', { filters: { feedbackBodyContains: 'nowhere' } }],
    ['rated, by completedAt', { sort: 'completedAt', filters: { feedbackRating: ['fail'] } }],
    ['with something expected, by exampleName', { sort: 'exampleName', filters: { hasExpected: true } }],
    ['promoted', { filters: { promotedToExample: true } }],
    ['created within an hour', { filters: { created: { after: ago(1 / 24) } } }],
    ['completed long ago', { filters: { completed: { before: ago(11) } } }],
    ['of one user', { viewer: mine }],
    ['failed ones of one user', { viewer: mine, filters: { statuses: ['failed'] } }],
  ];
}

/**
 * One second apart. A tenth has feedback, a twentieth an expected output. Triggers and foreign keys are disabled during
 * the insert.
 */
async function fillAgentExecutions(database: Database, count: number): Promise<void> {
  await sql`INSERT INTO agents (id, slug, name) VALUES (${AGENT}, 'bench', 'bench')`.execute(database);
  for (const table of ['executions', 'agent_executions'])
    await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER USER`.execute(database);
  for (const key of ['execution_id', 'agent_id'])
    await sql`ALTER TABLE agent_executions DROP CONSTRAINT ${sql.ref(`agent_executions_${key}_fkey`)}`.execute(
      database,
    );
  const made = sql`SELECT n, 'exec_' || lpad(n::text, 26, '0') AS id, now() - n * interval '1 second' AS at,
    CASE WHEN n % 3 = 0 THEN ${OWNER}::uuid END AS owner, CASE WHEN n % 100 = 0 THEN 'failed' ELSE 'completed' END AS status
    FROM generate_series(1, ${count}::int) AS n`;
  await sql`
    INSERT INTO executions (id, kind, agent_id, owner_id, status, trigger_type, root_id, created_at, started_at, completed_at, result)
    SELECT id, 'agent', ${AGENT}, owner, status, 'api', id, at, at, at + (n % 97) * interval '1 second', '{"verdict":"benign"}'
    FROM (${made}) AS made`.execute(database);
  await sql`
    INSERT INTO agent_executions (execution_id, agent_id, owner_id, status, created_at, started_at, completed_at, workspace_version, config,
      example_name, batch_id, feedback_rating, feedback_status, feedback_body, feedback_created_at, feedback_updated_at, expected, promoted_example_name)
    SELECT id, ${AGENT}, owner, status, at, at, at + (n % 97) * interval '1 second', 1, '{}',
      CASE WHEN n % 2 = 0 THEN 'example ' || n % 500 END, CASE WHEN n % 5 = 0 THEN 'batch ' || n / 1000 END,
      CASE WHEN n % 10 = 0 THEN 'fail' END, CASE WHEN n % 10 = 0 THEN 'open' END, CASE WHEN n % 10 = 0 THEN 'wrong host' END,
      CASE WHEN n % 10 = 0 THEN at END, CASE WHEN n % 10 = 0 THEN at END,
      CASE WHEN n % 20 = 0 THEN '{"verdict":"benign"}'::json END, CASE WHEN n % 1000 = 0 THEN 'example ' || n END
    FROM (${made}) AS made`.execute(database);
  await sql`
    INSERT INTO agent_statistics (agent_id, shard, executions, finished) VALUES (${AGENT}, 0, ${count}, ${count})`.execute(
    database,
  );
  await countExecutions(database);
  await vacuumUntilVisible(database, ['executions', 'agent_executions']);
}

function measure(database: Database, query: AgentExecutionListQuery): Promise<Pages> {
  return readPages(ROUNDS, async () => {
    const { ids } = await listAgentExecutionIds(database, query);
    return (await readAgentExecutions(database, ids)).length;
  });
}
