import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AgentExecutionFilters,
  type AgentExecutionListQuery,
  lastResolved,
  listAgentExecutionIds,
} from '#api/agents/tables/agent-execution-list.ts';
import { AGENT_EXECUTION_SORTS } from '#api/agents/tables/agent-execution-pages.ts';
import type { AgentExecution } from '#api/agents/tables/agent-executions.ts';
import { newExecutionId } from '#api/executions/engine/execution-id.ts';
import { randomId } from '#api/executions/random-id.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { usePostgres } from '#test/support/use-services.ts';

const { database } = await usePostgres();
const agentId = randomId('awf_');
const OWNERS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;
const ALL: AgentExecutionListQuery = {
  agentId,
  viewer: { all: true },
  filters: {},
  sort: 'createdAt',
  order: 'desc',
  scanLimit: 10_000,
  limit: 500,
  offset: 0,
};
let rows: AgentExecution[] = [];

/** Rows of every possible kind. Each filter is compared with a plain comparison of these rows. */
beforeAll(async () => {
  const { next: random } = seededRandom(5);
  const pick = <T>(...values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  await database
    .insertInto('agents')
    .values({ id: agentId, slug: 'list', name: 'list', description: '', config: '{}', ownerId: null })
    .execute();
  const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + Math.floor(n) * 60_000);
  for (let n = 0; n < 300; n++) {
    const id = newExecutionId();
    const status = pick('pending', 'completed', 'completed', 'failed', 'cancelled');
    const createdAt = at(random() * 200);
    const ended = status !== 'pending';
    const ownerId = pick(...OWNERS);
    await sql`INSERT INTO executions (id, kind, agent_id, owner_id, status, trigger_type, root_id, created_at)
      VALUES (${id}, 'agent', ${agentId}, ${ownerId}, 'pending', 'api', ${id}, ${createdAt})`.execute(database);
    const said = random() < 0.4;
    const feedbackStatus = pick('open' as const, 'resolved' as const, 'ignored' as const);
    const begun = at(200 + random() * 50);
    await database
      .insertInto('agentExecutions')
      .values({
        executionId: id,
        agentId,
        ownerId,
        status: 'pending',
        createdAt,
        workspaceVersion: 1,
        config: '{}',
        scopes: null,
        batchId: pick(null, 'a', 'b'),
        exampleName: pick(null, 'one', 'Two', '50%_off'),
        expected: pick(null, '{"a":1}'),
        expectedFiles: pick(0, 0, 2),
        promotedExampleName: pick(null, null, 'one'),
        ...(said
          ? {
              feedbackRating: pick(null, 'pass' as const, 'fail' as const, 'partial' as const),
              feedbackStatus,
              feedbackBody: pick('', 'Wrong host', '100% sure_thing'),
              feedbackCreatedAt: begun,
              feedbackUpdatedAt: at(250 + random() * 50),
              feedbackResolvedAt: feedbackStatus === 'resolved' ? at(150 + random() * 30) : null,
            }
          : {}),
      })
      .execute();
    if (!ended) continue;
    if (status !== 'cancelled')
      await sql`UPDATE executions SET status = 'running', lease_until = now(), started_at = created_at WHERE id = ${id}`.execute(
        database,
      );
    await sql`UPDATE executions SET status = ${status}, lease_until = NULL, completed_at = ${at(200 + random() * 99)} WHERE id = ${id}`.execute(
      database,
    );
  }
  rows = await database.selectFrom('agentExecutions').selectAll().execute();
});

const includes = (text: string | null, part: string) => text?.toLowerCase().includes(part.toLowerCase()) ?? false;
const T = new Date(Date.UTC(2026, 0, 1, 1, 40));
const LATE = new Date(Date.UTC(2026, 0, 1, 3, 45));
const FILTERS: readonly [string, AgentExecutionFilters, (row: AgentExecution) => boolean][] = [
  ['status', { statuses: ['completed'] }, (row) => row.status === 'completed'],
  ['several statuses', { statuses: ['failed', 'pending'] }, (row) => ['failed', 'pending'].includes(row.status)],
  ['batchId', { batchId: 'a' }, (row) => row.batchId === 'a'],
  ['exampleName', { exampleName: 'Two' }, (row) => row.exampleName === 'Two'],
  ['exampleNameContains', { exampleNameContains: 'tW' }, (row) => includes(row.exampleName, 'tw')],
  ['exampleNameContains, literally', { exampleNameContains: '%_' }, (row) => includes(row.exampleName, '%_')],
  ['createdAfter', { created: { after: T } }, (row) => row.createdAt >= T],
  ['createdBefore', { created: { before: T } }, (row) => row.createdAt <= T],
  ['completedAfter', { completed: { after: LATE } }, (row) => row.completedAt !== null && row.completedAt >= LATE],
  ['completedBefore', { completed: { before: LATE } }, (row) => row.completedAt !== null && row.completedAt <= LATE],
  ['feedbackStatus', { feedbackStatus: ['ignored'] }, (row) => row.feedbackStatus === 'ignored'],
  ['feedbackRating', { feedbackRating: ['fail'] }, (row) => row.feedbackRating === 'fail'],
  ['feedbackRating none', { feedbackRating: ['none'] }, (row) => row.feedbackRating === null],
  [
    'several feedbackRatings',
    { feedbackRating: ['none', 'pass'] },
    (row) => row.feedbackRating === null || row.feedbackRating === 'pass',
  ],
  ['hasFeedback', { hasFeedback: true }, (row) => row.feedbackCreatedAt !== null],
  ['noFeedback', { hasFeedback: false }, (row) => row.feedbackCreatedAt === null],
  ['hasExpected', { hasExpected: true }, (row) => row.expected !== null || row.expectedFiles > 0],
  ['not hasExpected', { hasExpected: false }, (row) => row.expected === null && row.expectedFiles === 0],
  ['hasExpectedJson', { hasExpectedJson: true }, (row) => row.expected !== null],
  ['not hasExpectedJson', { hasExpectedJson: false }, (row) => row.expected === null],
  ['hasExpectedFiles', { hasExpectedFiles: true }, (row) => row.expectedFiles > 0],
  ['not hasExpectedFiles', { hasExpectedFiles: false }, (row) => row.expectedFiles === 0],
  ['feedbackBodyContains', { feedbackBodyContains: 'HOST' }, (row) => includes(row.feedbackBody, 'host')],
  ['feedbackBodyContains, literally', { feedbackBodyContains: '0%' }, (row) => includes(row.feedbackBody, '0%')],
  ['feedbackCreatedAfter', { feedbackCreated: { after: LATE } }, (row) => (row.feedbackCreatedAt ?? 0) >= LATE],
  [
    'feedbackCreatedBefore',
    { feedbackCreated: { before: LATE } },
    (row) => row.feedbackCreatedAt !== null && row.feedbackCreatedAt <= LATE,
  ],
  [
    'feedbackUpdated',
    { feedbackUpdated: { after: LATE, before: new Date(Date.UTC(2026, 0, 1, 4, 45)) } },
    (row) =>
      row.feedbackUpdatedAt !== null &&
      row.feedbackUpdatedAt >= LATE &&
      row.feedbackUpdatedAt <= new Date(Date.UTC(2026, 0, 1, 4, 45)),
  ],
  [
    'feedbackResolvedAfter',
    { feedbackResolved: { after: T } },
    (row) => row.feedbackResolvedAt !== null && row.feedbackResolvedAt >= T,
  ],
  ['promotedToExample', { promotedToExample: true }, (row) => row.promotedExampleName !== null],
  ['not promotedToExample', { promotedToExample: false }, (row) => row.promotedExampleName === null],
  ['promotedExampleName', { promotedExampleName: 'one' }, (row) => row.promotedExampleName === 'one'],
  ['createdLaterThan', { createdLaterThan: T }, (row) => row.createdAt > T],
];

describe('executions of an agent are filtered by', () => {
  it.each(FILTERS)('%s', async (_, filters, fits) => {
    const expected = rows
      .filter(fits)
      .map(({ executionId }) => executionId)
      .sort();
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(rows.length);
    const { ids, total, scanLimited } = await listAgentExecutionIds(database, { ...ALL, filters });
    expect([...ids].sort()).toEqual(expected);
    expect([total, scanLimited]).toEqual([expected.length, false]);
  });

  it('any two filters, for one user too', async () => {
    const { next: random } = seededRandom(7);
    for (let n = 0; n < 60; n++) {
      const [one, two] = [0, 0].map(() => FILTERS[Math.floor(random() * FILTERS.length)] as (typeof FILTERS)[number]);
      if (one === undefined || two === undefined || Object.keys(one[1]).some((key) => key in two[1])) continue;
      const mine = random() < 0.5;
      const viewer = mine ? ({ all: false, userId: OWNERS[0] } as const) : ({ all: true } as const);
      const expected = rows.filter((row) => one[2](row) && two[2](row) && (!mine || row.ownerId === OWNERS[0]));
      const { ids } = await listAgentExecutionIds(database, { ...ALL, viewer, filters: { ...one[1], ...two[1] } });
      expect([one[0], two[0], [...ids].sort()]).toEqual([
        one[0],
        two[0],
        expected.map((row) => row.executionId).sort(),
      ]);
    }
  });
});

describe('lists', () => {
  it.each(AGENT_EXECUTION_SORTS.flatMap((sort) => (['asc', 'desc'] as const).map((order) => [sort, order] as const)))(
    'by %s %s are whole page by page, and the other order is exactly the reverse',
    async (sort, order) => {
      for (const filters of [{}, { hasFeedback: true }]) {
        const whole = await listAgentExecutionIds(database, { ...ALL, sort, order, filters });
        const reverse = await listAgentExecutionIds(database, {
          ...ALL,
          sort,
          order: order === 'asc' ? 'desc' : 'asc',
          filters,
        });
        expect([...reverse.ids].reverse()).toEqual(whole.ids);
        expect(new Set(whole.ids).size).toBe(whole.total);
        const pages: string[] = [];
        for (let offset = 0; offset < whole.total + 70; offset += 70)
          pages.push(
            ...(await listAgentExecutionIds(database, { ...ALL, sort, order, filters, limit: 70, offset })).ids,
          );
        expect(pages).toEqual(whole.ids);
        const key = (id: string) => rows.find((row) => row.executionId === id)?.[sort];
        const set = whole.ids.map(key).filter((value) => value !== null && value !== undefined);
        const up = set.every((value, index) => index === 0 || (set[index - 1] as Date) <= (value as Date));
        if (sort !== 'exampleName') expect(order === 'asc' ? up : !up).toBe(true);
      }
    },
  );

  it('report that they examined only the maximum', async () => {
    const filters = { exampleNameContains: 'one' };
    const some = await listAgentExecutionIds(database, { ...ALL, filters, scanLimit: 100 });
    const newest = [...rows]
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.executionId < b.executionId ? 1 : -1))
      .slice(0, 100);
    expect(some).toEqual({
      ids: newest.filter((row) => row.exampleName === 'one').map((row) => row.executionId),
      total: some.ids.length,
      scanLimited: true,
    });
    expect((await listAgentExecutionIds(database, { ...ALL, filters, scanLimit: 300 })).scanLimited).toBe(false);
  });

  it('show each viewer when their own feedback was last resolved', async () => {
    const latest = (of: readonly AgentExecution[]) =>
      of.map((row) => row.feedbackResolvedAt?.getTime() ?? 0).reduce((a, b) => Math.max(a, b), 0);
    expect((await lastResolved(database, agentId, { all: true }))?.getTime()).toBe(latest(rows));
    const mine = await lastResolved(database, agentId, { all: false, userId: OWNERS[1] });
    expect(mine?.getTime()).toBe(latest(rows.filter((row) => row.ownerId === OWNERS[1])));
    expect(await lastResolved(database, 'awf_none', { all: true })).toBe(undefined);
  });
});

describe('the database keeps', () => {
  it('copies of status, times and counts that match the executions', async () => {
    const { rows: wrong } =
      await sql`SELECT a.execution_id FROM agent_executions a JOIN executions e ON e.id = a.execution_id
      WHERE (a.status, a.started_at, a.completed_at, a.created_at) IS DISTINCT FROM (e.status, e.started_at, e.completed_at, e.created_at)`.execute(
        database,
      );
    expect(wrong).toEqual([]);
    const counts = await sql<{ executions: number; finished: number }>`
      SELECT sum(executions)::int AS executions, sum(finished)::int AS finished FROM agent_statistics WHERE agent_id = ${agentId}`.execute(
      database,
    );
    const finished = rows.filter(({ completedAt }) => completedAt !== null).length;
    expect(counts.rows[0]).toEqual({ executions: rows.length, finished });
    await sql`DELETE FROM executions WHERE id IN (SELECT execution_id FROM agent_executions ORDER BY execution_id LIMIT 20)`.execute(
      database,
    );
    const after = await sql<{
      executions: number;
    }>`SELECT sum(executions)::int AS executions FROM agent_statistics WHERE agent_id = ${agentId}`.execute(database);
    expect(after.rows[0]?.executions).toBe(rows.length - 20);
  });
});
