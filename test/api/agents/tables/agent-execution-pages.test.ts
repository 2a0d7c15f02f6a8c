import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { AGENT_EXECUTION_SORTS, ORDERS, pageOfAgent } from '#api/agents/tables/agent-execution-pages.ts';
import { randomId } from '#api/executions/random-id.ts';
import { usePostgres } from '#test/support/use-services.ts';

const { database } = await usePostgres();
const agentId = randomId('awf_');

/** 5,000 executions, 4,600 of them ended, many at the same time, in another order than they began. */
beforeAll(async () => {
  await database
    .insertInto('agents')
    .values({ id: agentId, slug: 'pages', name: 'pages', description: '', config: '{}', ownerId: null })
    .execute();
  // 1,000 per transaction: a transaction writes one row to the agent's statistics.
  for (let from = 1; from <= 5_000; from += 1_000)
    await sql`
    WITH taken AS (
      INSERT INTO executions (id, kind, agent_id, status, trigger_type, root_id, created_at)
      SELECT 'exec_' || gen_random_uuid(), 'agent', ${agentId}, 'pending', 'api', 'exec_root', '2026-01-01'::timestamptz + (i / 3) * interval '1 second'
      FROM generate_series(${from}::int, ${from + 999}::int) AS i RETURNING id, created_at
    )
    INSERT INTO agent_executions (execution_id, agent_id, status, created_at, workspace_version, config, example_name)
    SELECT id, ${agentId}, 'pending', created_at, 1, '{}', 'example ' || left(md5(id), 1) FROM taken`.execute(database);
  await sql`UPDATE executions SET status = 'running', lease_until = now(), started_at = now()`.execute(database);
  for (let ended = 0; ended < 4_600; ended += 920)
    await sql`
    UPDATE executions SET status = CASE WHEN md5(id) < '6' THEN 'failed' ELSE 'completed' END, lease_until = NULL,
      completed_at = '2026-01-02'::timestamptz + (hashtext(id) % 900) * interval '1 second'
    WHERE id IN (SELECT id FROM executions WHERE status = 'running' ORDER BY md5(id) LIMIT 920)`.execute(database);
});

describe('pages within a long list', () => {
  it.each(AGENT_EXECUTION_SORTS.flatMap((sort) => (['asc', 'desc'] as const).map((order) => [sort, order] as const)))(
    'by %s %s are those that follow the ones before',
    async (sort, order) => {
      const { rows } = await sql<{ executionId: string }>`
        SELECT execution_id FROM agent_executions ORDER BY ${sql.raw(ORDERS[sort][order])}`.execute(database);
      const all = rows.map(({ executionId }) => executionId);
      for (const offset of [0, 1_990, 2_001, 2_345, 2_580, 2_900, 2_949, 4_990, 5_000, 9_000]) {
        const page = await pageOfAgent(database, { agentId, sort, order, limit: 50, offset });
        expect([offset, page.ids]).toEqual([offset, all.slice(offset, offset + 50)]);
        expect(page.total).toBe(5_000);
      }
    },
  );
});
