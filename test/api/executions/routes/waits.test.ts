import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import { createExpressions, type Expressions } from '#api/executions/expressions/expressions.ts';
import { createStoredDefinitions } from '#api/workflows/definitions/stored-definitions.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { runWorkflowApp, type WorkflowApp, yamlOf } from '../../workflows/routes/workflow-app.ts';
import { createEngineFixture, type EngineFixture } from '../engine/engine-fixture.ts';
import { strictly } from './strict-client.ts';

type Person = Awaited<ReturnType<WorkflowApp['user']>>;

let app: WorkflowApp;
let engine: EngineFixture;
let expressions: Expressions | undefined;
beforeAll(async () => {
  const { url } = await usePostgres();
  app = await runWorkflowApp(url);
  engine = createEngineFixture(app.database, url);
});
afterAll(async () => {
  await engine.stopAll();
  await app.end();
  await expressions?.close();
});

/** A worker that runs released workflows. */
function startWorker(): void {
  expressions ??= createExpressions({ threads: 1 });
  engine.work(
    {},
    {
      definitions: createStoredDefinitions({ database: app.database }).definitionOf,
      interpreter: createInterpreter({ evaluate: expressions.evaluate }),
    },
  );
}

interface Listed {
  readonly data: readonly Record<string, unknown>[];
  readonly nextCursor: string | null;
}

/** An execution as a worker leaves it after it has reached a `listen`. */
async function waiting(call: WorkflowApp['operator'], slug: string): Promise<string> {
  const id = strictly(
    'accepted',
    await call('POST', `/api/v1/workflows/${slug}/run`, { input: { host: 'web-1' } }),
  ).executionId;
  const filters = JSON.stringify([
    { with: { type: 'org.example.decided' }, correlate: { execution: { from: '${ .data.execution }', expect: id } } },
  ]);
  await sql`
    INSERT INTO execution_waits (execution_id, wait, step, mode, filters, event_types, lane)
    SELECT id, '/do/0/answer#listen.1', '/do/0/answer', 'one', ${filters}::json, ARRAY['org.example.decided'], lane FROM executions WHERE id = ${id}`.execute(
    app.database,
  );
  return id;
}

test('lists what executions wait for to the users whose events reach them, newest first, in pages', async () => {
  const [ann, bob] = [await app.user(), await app.user()];
  for (const [person, slug] of [
    [ann, 'asks-ann'],
    [bob, 'asks-bob'],
  ] as const)
    await person.call('PUT', `/api/v1/workflows/${slug}`, {
      yamlContent: yamlOf({ answer: { listen: { to: { one: { with: { type: 'org.example.decided' } } } } } }, {}, slug),
    });
  const first = await waiting(ann.call, 'asks-ann');
  const second = await waiting(ann.call, 'asks-ann');
  const other = await waiting(bob.call, 'asks-bob');

  const own = (await ann.call('GET', '/api/v1/waits')).body as Listed;
  expect(own.data.map(({ executionId }) => executionId)).toEqual([first, second].sort().reverse());
  expect(own.nextCursor).toBeNull();
  expect(own.data[0]).toMatchObject({
    step: '/do/0/answer',
    mode: 'one',
    workflow: { name: 'asks-ann' },
    input: { host: 'web-1' },
    filters: [{ with: { type: 'org.example.decided' }, correlate: { execution: { from: '${ .data.execution }' } } }],
  });

  const pages: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/api/v1/waits?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page = (await app.operator('GET', path)).body as Listed;
    pages.push(...page.data.map(({ executionId }) => String(executionId)));
    cursor = page.nextCursor;
  }
  expect(pages).toEqual([first, second, other].sort().reverse());
  expect((await ann.call('GET', '/api/v1/waits?cursor=nonsense')).status).toBe(400);
});

describe('approvals defined by a workflow', () => {
  const asks = (approval: object, name: string) =>
    yamlOf(
      {
        answer: {
          metadata: { approval },
          listen: { to: { one: { with: { type: 'org.example.decided' } } } },
        },
      },
      {},
      name,
    );
  const nameOf = async ({ user }: { user: { id: string } }) =>
    (await app.database.selectFrom('users').select('username').where('id', '=', user.id).executeTakeFirstOrThrow())
      .username;
  const release = async (person: Person, slug: string, approval: object) => {
    const released = await person.call('PUT', `/api/v1/workflows/${slug}`, { yamlContent: asks(approval, slug) });
    expect(released.status, released.text).toBe(200);
  };
  const decide = (person: Person, executionId: string, approved = true, note?: string) =>
    person.call('POST', '/api/v1/waits/decide', { executionId, wait: '/do/0/answer#listen.1', approved, note });
  const listed = async (person: Person) =>
    ((await person.call('GET', '/api/v1/waits')).body as Listed).data.map(({ executionId }) => executionId);
  const count = async (person: Person) =>
    ((await person.call('GET', '/api/v1/waits/count')).body as { count: number }).count;
  /** Runs the workflow with a worker until it waits. */
  const asked = async (person: Person, slug: string) => {
    const answer = await person.call('POST', `/api/v1/workflows/${slug}/run`, { input: { host: 'web-1' } });
    const { executionId } = answer.body as { executionId: string };
    await engine.until(executionId, 'waiting');
    return executionId;
  };

  beforeAll(() => {
    startWorker();
  });

  test('a release reports problems of an approval', async () => {
    const ann = await app.user();
    const refused = async (approval: object) => {
      const answer = await ann.call('PUT', '/api/v1/workflows/wrong', { yamlContent: asks(approval, 'wrong') });
      expect(answer.status).toBe(400);
      return (answer.body as { issues: { field: string; message: string }[] }).issues.map(
        ({ field, message }) => `${field}: ${message}`,
      );
    };
    expect(await refused({ approvers: [{ team: 'no-such-team' }] })).toEqual([
      expect.stringContaining("approvers.0.team: there is no team named 'no-such-team'"),
    ]);
    expect(await refused({ approvers: [{ user: 'no-such-user' }] })).toEqual([
      expect.stringContaining("there is no user named 'no-such-user'"),
    ]);
    expect(await refused({ count: 0 })).toEqual([expect.stringContaining('must be a whole number from 1 to 10')]);
  });

  test('four eyes: the starter cannot approve or send the event; a member of the team can, and the execution continues', async () => {
    const [ann, ben, eve] = [await app.user(), await app.user(), await app.user()];
    const members = [await nameOf(ann), await nameOf(ben)];
    await app.operator('POST', '/api/admin/teams', { name: 'four-eyes', members });
    await release(ann, 'four-eyes', { approvers: [{ team: 'four-eyes' }], except: ['starter'] });
    const id = await asked(ann, 'four-eyes');
    const before = await Promise.all([ann, ben, eve].map(count));
    expect(before).toEqual([0, 1, 0]);
    expect([await listed(ann), await listed(ben), await listed(eve)]).toEqual([[], [id], []]);
    const event = {
      specversion: '1.0',
      id: 'forged',
      source: 'ann',
      type: 'org.example.decided',
      data: { approved: true },
    };
    expect((await ann.call('POST', '/api/v1/events', event)).status).toBe(202);
    expect((await app.operator('POST', '/api/v1/events', { ...event, source: 'admin' })).status).toBe(202);
    expect([(await decide(ann, id)).status, (await decide(eve, id)).status]).toEqual([403, 404]);
    expect(
      (
        await app.operator('POST', '/api/v1/waits/decide', {
          executionId: id,
          wait: '/do/0/answer#listen.1',
          approved: true,
        })
      ).status,
    ).toBe(403);
    expect((await engine.row(id)).status).toBe('waiting');
    const own = (await ann.call('GET', `/api/v1/waits?execution=${id}`)).body as Listed;
    expect(own.data).toMatchObject([{ mayDecide: false, approval: { except: ['starter'], count: 1 }, decisions: [] }]);
    expect((await eve.call('GET', `/api/v1/waits?execution=${id}`)).status).toBe(404);
    expect((await ben.call('GET', `/api/v1/workflows/executions/${id}`)).status).toBe(200);
    expect((await decide(ben, id, true, 'agreed')).body).toEqual({ outcome: 'approved' });
    const { result } = await engine.until(id, 'completed');
    const by = await nameOf(ben);
    expect(result).toEqual([{ approved: true, by, approvers: [by], note: 'agreed' }]);
    expect((await decide(ben, id)).status).toBe(404);
    expect((await ben.call('GET', `/api/v1/workflows/executions/${id}`)).status).toBe(200);
    const overridden = await ann.call('POST', '/api/v1/workflows/four-eyes/run', {
      overrides: { steps: { answer: [{ approved: true }] } },
    });
    expect(overridden.status).toBe(400);
  });

  test('two different users approve; one who lost the right since does not count, and one rejection ends it', async () => {
    const [ann, ben, cid] = [await app.user('analyst'), await app.user('analyst'), await app.user('analyst')];
    const starter = await app.user();
    await release(starter, 'two-approve', {
      approvers: [{ role: 'analyst' }],
      count: 2,
      except: ['starter', 'lastEditor'],
    });
    const id = await asked(starter, 'two-approve');
    expect((await decide(ann, id)).body).toEqual({ outcome: 'counted', approvals: 1, needed: 2 });
    expect((await decide(ann, id)).status).toBe(400);
    expect(await listed(ann)).not.toContain(id);
    await app.database.updateTable('users').set({ role: 'user' }).where('id', '=', ann.user.id).execute();
    expect((await decide(ben, id)).body).toEqual({ outcome: 'counted', approvals: 1, needed: 2 });
    expect((await decide(cid, id)).body).toEqual({ outcome: 'approved' });
    const { result } = await engine.until(id, 'completed');
    expect(result).toMatchObject([{ approved: true, approvers: [await nameOf(ben), await nameOf(cid)] }]);
    const rejected = await asked(starter, 'two-approve');
    expect((await decide(ben, rejected, false)).body).toEqual({ outcome: 'rejected' });
    expect((await engine.until(rejected, 'completed')).result).toMatchObject([{ approved: false }]);
    const again = await starter.call('POST', `/api/v1/workflows/executions/${rejected}/rerun`, {});
    const { executionId } = again.body as { executionId: string };
    await engine.until(executionId, 'waiting');
    expect((await app.operator('POST', `/api/v1/workflows/executions/${executionId}/cancel`)).status).toBe(200);
    const audited = await app.database
      .selectFrom('auditLog')
      .select('target')
      .where('action', '=', 'approval.decide')
      .execute();
    expect(audited.filter(({ target }) => target === `execution:${id}`)).toHaveLength(3);
  });

  test('the operator cannot approve an own start or release either', async () => {
    const admin = await app.user('admin');
    for (const [slug, except] of [
      ['operator-starts', 'starter'],
      ['operator-edits', 'lastEditor'],
    ] as const) {
      await app.operator('PUT', `/api/v1/workflows/${slug}`, { yamlContent: asks({ except: [except] }, slug) });
      const started = await app.operator('POST', `/api/v1/workflows/${slug}/run`, {});
      const { executionId } = started.body as { executionId: string };
      await engine.until(executionId, 'waiting');
      const wait = { executionId, wait: '/do/0/answer#listen.1', approved: true };
      const listedToOperator = (await app.operator('GET', '/api/v1/waits')).body as Listed;
      expect(listedToOperator.data.map((one) => one.executionId)).not.toContain(executionId);
      expect((await app.operator('POST', '/api/v1/waits/decide', wait)).status).toBe(403);
      expect((await decide(admin, executionId)).body).toEqual({ outcome: 'approved' });
      await engine.until(executionId, 'completed');
    }
  });

  test('the owner decides by a grant like others, and sees only those in the list', async () => {
    const [ann, ben] = [await app.user('analyst'), await app.user()];
    const yamlContent = yamlOf(
      { answer: { listen: { to: { one: { with: { type: 'org.example.decided' } } } } } },
      {},
      'granted-owner',
    );
    await ann.call('PUT', '/api/v1/workflows/granted-owner', { yamlContent, visibility: 'shared' });
    const id = await asked(ben, 'granted-owner');
    expect([await listed(ann), (await decide(ann, id)).status]).toEqual([[], 403]);
    const grant = { permission: 'approve', role: 'analyst' };
    expect((await ann.call('POST', '/api/v1/workflows/granted-owner/grants', grant)).status).toBe(200);
    expect([await listed(ann), await count(ann)]).toEqual([[id], 1]);
    // A decision applies to one execution, even if another execution of the same starter waits for the same event.
    const other = await asked(ben, 'granted-owner');
    expect((await decide(ann, id)).body).toEqual({ outcome: 'approved' });
    await engine.until(id, 'completed');
    expect((await engine.row(other)).status).toBe('waiting');
    expect((await decide(ann, other)).body).toEqual({ outcome: 'approved' });
    await engine.until(other, 'completed');
  });

  test('a decision cannot send an event of the service itself', async () => {
    const ann = await app.user();
    const yamlContent = yamlOf(
      { answer: { listen: { to: { one: { with: { type: 'trapline.detection.opened' } } } } } },
      {},
      'forges',
    );
    expect((await ann.call('PUT', '/api/v1/workflows/forges', { yamlContent })).status).toBe(200);
    const id = await asked(ann, 'forges');
    const refused = await decide(ann, id);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('only the service itself sends')]);
    expect((await ann.call('POST', `/api/v1/workflows/executions/${id}/cancel`)).status).toBe(200);
  });
});

describe('an event for one execution', () => {
  const event = (id: string, data: object = {}) => ({
    specversion: '1.0',
    id,
    source: 'https://example.org/desk',
    type: 'org.example.asked',
    data,
  });
  const listenFor = (type: string) => ({
    listen: { to: { one: { with: { type } } }, read: 'envelope' },
    export: { as: '${ .[0] }' },
  });
  const replying = (name: string) =>
    yamlOf(
      {
        asked: listenFor('org.example.asked'),
        reply: {
          emit: {
            event: {
              with: {
                source: 'https://example.org/replies',
                type: 'org.example.replied',
                causationid: '${ $context.id }',
                data: { twice: '${ $context.data.n * 2 }' },
              },
            },
          },
        },
        last: listenFor('org.example.last'),
      },
      {},
      name,
    );
  const started = async (person: Person, slug: string) => {
    const answer = await person.call('POST', `/api/v1/workflows/${slug}/run`, {});
    const { executionId } = answer.body as { executionId: string };
    await engine.until(executionId, 'waiting');
    return executionId;
  };
  beforeAll(() => {
    startWorker();
  });
  const signals = (id: string) => `/api/v1/executions/${id}/signals`;

  test('has the reply of that execution, once, also when it is sent again; other executions do not receive it', async () => {
    const [ann, eve] = [await app.user(), await app.user()];
    await ann.call('PUT', '/api/v1/workflows/replies', { yamlContent: replying('replies') });
    const [id, other] = [await started(ann, 'replies'), await started(ann, 'replies')];

    const held = await ann.call('POST', `${signals(id)}?wait_for_reply=30`, event('a', { n: 21 }));
    expect(held.status, held.text).toBe(202);
    expect(held.body).toMatchObject({
      executionId: id,
      eventId: 'a',
      state: 'replied',
      reply: { type: 'org.example.replied', causationid: 'a', data: { twice: 42 } },
    });
    await engine.until(id, 'waiting');
    expect((await engine.row(other)).status).toBe('waiting');
    const again = await ann.call('POST', signals(id), event('a', { n: 1 }));
    expect([again.status, (again.body as { reply: unknown }).reply]).toEqual([
      202,
      (held.body as { reply: unknown }).reply,
    ]);
    const read = await ann.call('GET', `${signals(id)}/a`);
    expect([read.status, read.body]).toEqual([200, { ...(again.body as object) }]);
    // The same event id: from another source, for another execution, and for the waiting executions.
    expect((await ann.call('POST', signals(id), { ...event('a'), source: 'other' })).status).toBe(400);
    expect((await ann.call('POST', signals(other), event('a'))).status).toBe(400);
    expect((await ann.call('POST', signals(id), { ...event('b'), type: 'Trapline.approval:x' })).status).toBe(400);
    expect([
      (await eve.call('POST', signals(id), event('e'))).status,
      (await eve.call('GET', `${signals(id)}/a`)).status,
    ]).toEqual([404, 404]);
    expect((await ann.call('GET', `${signals(id)}/unknown`)).status).toBe(404);

    // It ends without a reply to the last event.
    const last = await ann.call('POST', `${signals(id)}?wait_for_reply=30`, {
      ...event('z'),
      type: 'org.example.last',
    });
    expect(last.body).toMatchObject({ state: 'ended', executionStatus: 'completed', reply: null });
    expect((await ann.call('POST', signals(id), event('late'))).status).toBe(400);
    expect((await ann.call('GET', `${signals(id)}/a`)).body).toMatchObject({ state: 'replied' });
  });

  test('that arrives before the task waits is taken later; a reply that is too large is reported', async () => {
    const ann = await app.user();
    await ann.call('PUT', '/api/v1/workflows/replies-late', { yamlContent: replying('replies-late') });
    const id = await started(ann, 'replies-late');
    const early = await ann.call('POST', signals(id), {
      ...event('early', { text: 'a\u0000b' }),
      type: 'org.example.last',
    });
    expect(early.body, early.text).toMatchObject({ state: 'pending', reply: null });
    await sql`INSERT INTO execution_replies (execution_id, event_id, source, replied_at) VALUES (${id}, 'b', 's', now())`.execute(
      app.database,
    );
    expect((await ann.call('GET', `${signals(id)}/b`)).body).toMatchObject({ state: 'too-large', reply: null });
    await ann.call('POST', signals(id), event('late-1', { n: 1 }));
    await engine.until(id, 'completed');
    expect((await ann.call('GET', `${signals(id)}/early`)).body).toMatchObject({ state: 'ended' });
  });

  test('does not reach a step that needs an approval', async () => {
    const ann = await app.user();
    const yamlContent = yamlOf(
      { answer: { metadata: { approval: {} }, listen: { to: { one: { with: { type: 'org.example.asked' } } } } } },
      {},
      'signal-approval',
    );
    expect((await ann.call('PUT', '/api/v1/workflows/signal-approval', { yamlContent })).status).toBe(200);
    const id = await started(ann, 'signal-approval');
    expect((await ann.call('POST', signals(id), event('forged', { approved: true }))).status).toBe(202);
    const { rows } = await sql`SELECT routed FROM execution_events WHERE event_id = 'forged'`.execute(app.database);
    expect(rows).toContainEqual({ routed: true });
    const taken = await sql`SELECT FROM execution_signals WHERE execution_id = ${id}`.execute(app.database);
    expect(taken.rows).toEqual([]);
  });
});
