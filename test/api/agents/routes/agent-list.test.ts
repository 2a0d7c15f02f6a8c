import { beforeAll, describe, expect, it } from 'vitest';
import { agentExecutionListSchema } from '#schemas/api/agents.ts';
import { runAgentApp } from '../agent-app.ts';

const app = await runAgentApp();
const owner = await app.user();
const guest = await app.user();
let path = '';
let agentId = '';
const ids: string[] = [];

beforeAll(async () => {
  agentId = (await owner.call('POST', '/api/v1/agents', { name: 'Listed', slug: 'listed', visibility: 'shared' })).body
    .agent.id;
  path = `/api/v1/agents/${agentId}/executions`;
  for (let n = 0; n < 5; n++)
    ids.push(
      (await owner.call('POST', `/api/v1/agents/${agentId}/run`, { input: n, batchId: `b${n % 2}` })).body.executionId,
    );
  ids.push((await guest.call('POST', `/api/v1/agents/${agentId}/run`, { input: 'guest' })).body.executionId);
  // One second apart, so that the order of creation is the order of the ids.
  for (const [index, id] of ids.entries()) {
    const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, index));
    await app.database.updateTable('agentExecutions').set({ createdAt }).where('executionId', '=', id).execute();
  }
});

async function list(query: string, by = owner) {
  const answer = await by.call('GET', `${path}?${query}`);
  expect([query, answer.status]).toEqual([query, 200]);
  return agentExecutionListSchema.strict().parse(answer.body);
}
const idsOf = async (query: string, by = owner) => (await list(query, by)).executions.map(({ id }) => id);

describe('the list of an agent’s executions', () => {
  it('is sorted by newest first, paged, and reversible', async () => {
    expect(await idsOf('')).toEqual([...ids].reverse());
    expect(await list('limit=2&offset=1')).toMatchObject({
      total: 6,
      limit: 2,
      offset: 1,
      scanLimited: false,
      noResolvedAnchor: false,
    });
    expect(await idsOf('limit=2&offset=1&order=asc')).toEqual(ids.slice(1, 3));
    expect(await idsOf('batchId=b1&sort=createdAt')).toEqual([ids[3], ids[1]]);
    expect(await idsOf('createdAfter=2026-01-01T00:00:03Z&createdBefore=2026-01-01T00:00:04%2B00:00')).toEqual([
      ids[4],
      ids[3],
    ]);
    expect(await idsOf('status=pending,running')).toHaveLength(6);
    expect(await idsOf('status=completed')).toEqual([]);
    expect(await list('scanLimit=2&noFeedback=true')).toMatchObject({ total: 2, scanLimited: true });
  });

  it('shows the runs of a private agent only to the users who started them', async () => {
    expect(await idsOf('', guest)).toEqual([ids[5]]);
    expect((await guest.call('GET', `/api/v1/agents/executions/${ids[0]}`)).status).toBe(404);
    expect((await owner.call('GET', `/api/v1/agents/executions/${ids[5]}`)).status).toBe(200);
    const stranger = await app.user();
    expect((await stranger.call('GET', `${path}?`)).body.executions).toEqual([]);
  });

  it('adds only the requested parts', async () => {
    const feedback = `/api/v1/agents/executions/${ids[2]}/feedback`;
    await owner.call('PATCH', feedback, { body: 'Good', rating: 'pass', expected: [1] });
    const [plain] = (await list('hasFeedback=true')).executions;
    expect(plain).not.toHaveProperty('feedback');
    expect(plain).not.toHaveProperty('startedBy');
    const starters = (await list('include=startedBy')).executions.map(({ startedBy }) => startedBy);
    expect(starters).toContainEqual(
      expect.objectContaining({ how: 'key', user: { id: guest.user.id, username: guest.user.username } }),
    );
    const one = async (include = '') =>
      (await owner.call('GET', `/api/v1/agents/executions/${ids[2]}${include}`)).body.execution;
    expect(await one()).not.toHaveProperty('startedBy');
    expect(starters).toContainEqual((await one('?include=startedBy')).startedBy);
    const [full] = (await list('feedbackRating=pass&include=feedback,expected,files')).executions;
    expect(full).toMatchObject({
      id: ids[2],
      feedback: { rating: 'pass', body: 'Good' },
      expected: [1],
      expectedFiles: [],
      files: [],
    });
    expect(await idsOf('feedbackRating=pass,partial')).toEqual([ids[2]]);
    expect(await idsOf('from=now()-1h&to=now()-1m')).toEqual([]);
    const both = await list('');
    expect(both.data).toEqual(both.executions);
    expect(await idsOf('feedbackBodyContains=goo')).toEqual([ids[2]]);
    expect(await idsOf('hasFeedback=true&noFeedback=true')).toEqual([]);
    expect(await idsOf('hasExpectedJson=true')).toEqual([ids[2]]);
  });

  it('returns feedback since it was last resolved, or all of it', async () => {
    expect(await list('sinceLastResolved=true')).toMatchObject({ total: 6, noResolvedAnchor: true });
    await owner.call('PATCH', `/api/v1/agents/executions/${ids[1]}/feedback`, { status: 'resolved' });
    expect(await list('sinceLastResolved=true')).toMatchObject({ total: 0, noResolvedAnchor: false });
    const later = (await owner.call('POST', `/api/v1/agents/${agentId}/run`, {})).body.executionId;
    expect(await idsOf('sinceLastResolved=true')).toEqual([later]);
    expect(await idsOf('feedbackResolvedAfter=now()-1h')).toEqual([ids[1]]);
  });

  it.each([
    'status=done',
    'createdAfter=yesterday',
    'feedbackRating=bad',
    'hasFeedback=1',
    'sort=id',
    'order=up',
    'limit=0',
    'limit=501',
    'offset=-1',
    'scanLimit=0',
    'include=all',
    'unknown=1',
    'batchId=',
    'batchId=%00',
  ])('rejects %s', async (query) => {
    const refused = await owner.call('GET', `${path}?${query}`);
    expect([refused.status, refused.body.issues[0].field.split('.')[0]]).toEqual([400, query.split('=')[0]]);
  });
});
