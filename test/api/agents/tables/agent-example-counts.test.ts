import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { pageByExample } from '#api/agents/tables/agent-example-counts.ts';
import { ORDERS } from '#api/agents/tables/agent-execution-pages.ts';
import { randomId } from '#api/executions/random-id.ts';
import { foldAllChanges } from '#api/executions/store/noted-changes.ts';
import { fillExampleCounts } from '#api/postgres/migrations/0065-example-counts.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { usePostgres } from '#test/support/use-services.ts';

const { database } = await usePostgres();

async function newAgent(slug: string): Promise<string> {
  const id = randomId('awf_');
  await database
    .insertInto('agents')
    .values({ id, slug, name: slug, description: '', config: '{}', ownerId: null })
    .execute();
  return id;
}

/**
 * Inserts executions of an agent with ids from a number on: the same number for each example `example 0` up to `names`,
 * and for no example.
 */
async function takeIn(agentId: string, count: number, from: number, names: number): Promise<void> {
  // 1,000 per transaction: a transaction writes one row to the agent's statistics.
  for (let begun = 0; begun < count; begun += 1_000)
    await sql`
    WITH taken AS (
      INSERT INTO executions (id, kind, agent_id, status, trigger_type, root_id)
      SELECT 'exec_' || lpad((${from}::int + i)::text, 9, '0') || gen_random_uuid(), 'agent', ${agentId}, 'pending', 'api', 'exec_root'
      FROM generate_series(${begun + 1}::int, ${Math.min(count, begun + 1_000)}::int) AS i RETURNING id, created_at
    )
    INSERT INTO agent_executions (execution_id, agent_id, status, created_at, workspace_version, config, example_name)
    SELECT id, ${agentId}, 'pending', created_at, 1, '{}', 'example ' || nullif(abs(hashtext(id)) % (${names}::int + 1), ${names}::int) FROM taken`.execute(
      database,
    );
}

/** Ranges whose counts do not match their executions, and executions outside of all ranges. */
async function wrongRanges(): Promise<unknown[]> {
  const { rows } = await sql`
    SELECT c.agent_id, c.example_name, c.since, c.executions, count(run.execution_id) AS found
    FROM agent_example_counts AS c FULL JOIN agent_executions AS run ON run.agent_id = c.agent_id AND (run.example_name IS NOT NULL) = c.named
      AND coalesce(run.example_name, '') = c.example_name AND run.execution_id >= c.since AND run.execution_id <= c.newest
    GROUP BY c.agent_id, c.named, c.example_name, c.since, c.executions
    HAVING c.executions IS DISTINCT FROM count(run.execution_id)`.execute(database);
  return rows;
}

test('the name counts match the rows, in any order of additions and removals', async () => {
  const random = seededRandom(5);
  const agents = [await newAgent('first'), await newAgent('second')];
  for (let round = 0; round < 8; round += 1) {
    await takeIn(random.pick(agents), random.between(1, 2_500), random.between(0, 20_000), random.between(0, 4));
    const some = () => sql`SELECT fold_agent_example_counts(${random.between(1, 2_000)})`.execute(database);
    for (let n = random.between(0, 2); n > 0; n -= 1) await Promise.all([some(), some()]);
    await sql`DELETE FROM executions WHERE id IN (SELECT id FROM executions ORDER BY md5(id) LIMIT ${random.between(0, 600)})`.execute(
      database,
    );
  }
  await foldAllChanges(database, 'examples');
  expect(await wrongRanges()).toEqual([]);
  const total = await sql<{ counted: number; there: number }>`
    SELECT (SELECT sum(executions) FROM agent_example_counts)::int AS counted, (SELECT count(*) FROM agent_executions)::int AS there`.execute(
    database,
  );
  expect(total.rows[0]?.counted).toBe(total.rows[0]?.there);
  await database.deleteFrom('agents').execute();
  await foldAllChanges(database, 'examples');
  expect((await sql`SELECT FROM agent_example_counts`.execute(database)).rows).toEqual([]);
});

test('a page by names finds rows among many with one name, and among those without one', async () => {
  const agentId = await newAgent('paged');
  // The later half of the ids first, so that later inserts precede the first range.
  await takeIn(agentId, 9_000, 50_000, 1);
  await foldAllChanges(database, 'examples');
  await takeIn(agentId, 9_000, 0, 1);
  await foldAllChanges(database, 'examples');
  expect(await wrongRanges()).toEqual([]);
  const { rows } = await sql<{ executionId: string }>`
    SELECT execution_id FROM agent_executions WHERE agent_id = ${agentId} ORDER BY ${sql.raw(ORDERS.exampleName.desc)}`.execute(
    database,
  );
  const all = rows.map(({ executionId }) => executionId);
  const named = Number(
    (await sql<{ n: number }>`SELECT count(example_name) AS n FROM agent_executions`.execute(database)).rows[0]?.n,
  );
  for (const offset of [0, 3_990, 4_000, named - 20, named, 12_345, 17_990, 18_000])
    expect([offset, await pageByExample(database, agentId, { limit: 50, offset })]).toEqual([
      offset,
      all.slice(offset, offset + 50),
    ]);
  const ranges = await sql<{ most: number }>`SELECT max(executions) AS most FROM agent_example_counts`.execute(
    database,
  );
  expect(ranges.rows[0]?.most).toBeLessThanOrEqual(4_000);
  // Counted immediately, as rows that existed before counting began.
  await sql`TRUNCATE agent_example_counts`.execute(database);
  await fillExampleCounts(database);
  expect(await wrongRanges()).toEqual([]);
  expect(await pageByExample(database, agentId, { limit: 50, offset: 7_000 })).toEqual(all.slice(7_000, 7_050));
});
