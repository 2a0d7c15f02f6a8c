import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRunWorkflow } from '#api/agents/run/run-workflow.ts';
import { countedTotal, findPlace } from '#api/executions/store/counts.ts';
import { findNotAllowed } from '#api/executions/store/may-start.ts';
import { countRecentExecutions, keptCountOfRecent, listRecentExecutions } from '#api/executions/store/recent.ts';
import { grantsOf, mayDoSql } from '#api/sharing/conditions.ts';
import { type Action, mayDo, PERMISSIONS, type Permission, RULES, standingOf } from '#api/sharing/permissions.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { runWorkflowApp, type WorkflowApp, yamlOf } from '../workflows/routes/workflow-app.ts';
import { expectHidden } from './walk-routes.ts';

let app: WorkflowApp;
beforeAll(async () => {
  app = await runWorkflowApp((await usePostgres()).url);
});
afterAll(() => app.end());

type Person = Awaited<ReturnType<WorkflowApp['user']>>;
const nameOf = async ({ user }: Person) =>
  (await app.database.selectFrom('users').select('username').where('id', '=', user.id).executeTakeFirstOrThrow())
    .username;

async function release(person: Person, slug: string, visibility?: 'shared'): Promise<string> {
  const yamlContent = yamlOf({ first: { set: { done: true } } }, {}, slug);
  const released = await person.call('PUT', `/api/v1/workflows/${slug}`, { yamlContent, visibility });
  expect(released.status, released.text).toBe(200);
  return (released.body as { workflow: { id: string } }).workflow.id;
}

const run = async (person: Person, slug: string) => {
  const answer = await person.call('POST', `/api/v1/workflows/${slug}/run`, {});
  expect(answer.status, answer.text).toBe(201);
  return (answer.body as { executionId: string }).executionId;
};

test('the query conditions equal the pure function for every relation and grant', async () => {
  const [owner, other] = [await app.user(), await app.user('analyst')];
  const ids = [await release(owner, 'tie-private'), await release(owner, 'tie-shared', 'shared')];
  const team = await app.operator('POST', '/api/admin/teams', { name: 'ties', members: [await nameOf(other)] });
  const teamId = (team.body as { id: string }).id;
  const subjects = [
    { userId: other.user.id, teamId: null, role: null },
    { userId: null, teamId, role: null },
    { userId: null, teamId: null, role: 'user' as const },
  ];
  const grant = (workflowId: string, permission: Permission, subject: (typeof subjects)[number]) =>
    app.database
      .insertInto('automationGrants')
      .values({ id: `grant_${permission}`, workflowId, agentId: null, permission, createdBy: 'test', ...subject })
      .execute();
  const row = { kind: 'workflow', alias: 'workflows' } as const;
  for (const id of ids)
    for (const permission of [undefined, ...PERMISSIONS])
      for (const subject of permission === undefined ? subjects.slice(0, 1) : subjects) {
        if (permission !== undefined) await grant(id, permission, subject);
        for (const userId of [owner.user.id, other.user.id])
          for (const starterId of [userId, '00000000-0000-4000-8000-000000000000']) {
            const viewer = { userId, administrator: false };
            const columns = (Object.keys(RULES) as Action[]).map(
              (action) => [action, mayDoSql(viewer, action, row, 'run.starter')] as const,
            );
            const { rows } = await sql<Record<string, unknown>>`
              SELECT owner_id, visibility, ${grantsOf(viewer, row)} AS grants,
                ${sql.join(columns.map(([, condition], at) => sql`${condition} AS ${sql.ref(`c${at}`)}`))}
              FROM workflows CROSS JOIN (SELECT ${starterId}::uuid AS starter) AS run WHERE id = ${id}`.execute(
              app.database,
            );
            const { ownerId, visibility, grants, ...decided } = rows[0] as never as {
              ownerId: string;
              visibility: 'private' | 'shared';
              grants: Permission[];
            } & Record<string, boolean>;
            const standing = standingOf(viewer, { ownerId, visibility, grants }, starterId);
            const expected = columns.map(([action]) => [action, mayDo(action, standing)]);
            const found = columns.map(([action], at) => [action, decided[`c${at}`]]);
            expect({ permission, visibility, found }).toEqual({ permission, visibility, found: expected });
          }
        await app.database.deleteFrom('automationGrants').execute();
      }
});

test('a grant gives access to a workflow and its executions; removing it ends the access; each change is audited', async () => {
  const [owner, other] = [await app.user(), await app.user()];
  const id = await release(owner, 'granted');
  const execution = await run(owner, 'granted');
  const path = `/api/v1/workflows/${id}`;
  const statuses = async () => ({
    read: (await other.call('GET', path)).status,
    list: ((await other.call('GET', '/api/v1/workflows?name=granted')).body as { total: number }).total,
    executions: ((await other.call('GET', `/api/v1/executions?limit=5`)).body as { total: number }).total,
    execution: (await other.call('GET', `/api/v1/workflows/executions/${execution}`)).status,
    run: (await other.call('POST', `${path}/run`, {})).status,
    cancel: (await other.call('POST', `/api/v1/workflows/executions/${execution}/cancel`)).status,
    release: (await other.call('PUT', '/api/v1/workflows/granted', { yamlContent: yamlOf({}, {}, 'granted') })).status,
    grants: (await other.call('GET', `${path}/grants`)).status,
  });
  const closed = {
    read: 404,
    list: 0,
    executions: 0,
    execution: 404,
    run: 404,
    cancel: 404,
    release: 404,
    grants: 404,
  };
  expect(await statuses()).toEqual(closed);
  const user = await nameOf(other);
  expect((await owner.call('POST', `${path}/grants`, { permission: 'view', user: 'no-such-user' })).status).toBe(400);
  const granted = await owner.call('POST', `${path}/grants`, { permission: 'view', user });
  const [grant] = (granted.body as { data: { id: string; user: string }[] }).data;
  expect(grant).toMatchObject({ permission: 'view', user, team: null, role: null });
  expect(await statuses()).toEqual({
    ...closed,
    read: 200,
    list: 1,
    executions: 1,
    execution: 200,
    run: 403,
    cancel: 403,
    release: 403,
    grants: 403,
  });
  const yamlContent = yamlOf({ first: { set: { done: false } } }, {}, 'granted');
  expect((await other.call('PUT', '/api/v1/workflows/granted', { yamlContent })).status).toBe(403);
  await owner.call('POST', `${path}/grants`, { permission: 'edit', user });
  expect((await other.call('PUT', '/api/v1/workflows/granted', { yamlContent })).status).toBe(200);
  expect((await other.call('PUT', '/api/v1/workflows/granted', { yamlContent, visibility: 'shared' })).status).toBe(
    403,
  );
  const access = await other.call('GET', `${path}/access`);
  expect(access.body).toEqual({ visibility: 'private', run: true, edit: true, share: false });
  const all = (await owner.call('GET', `${path}/grants`)).body as { data: { id: string }[] };
  for (const { id: one } of all.data) expect((await owner.call('DELETE', `${path}/grants/${one}`)).status).toBe(204);
  expect(await statuses()).toEqual(closed);
  const audited = await app.database
    .selectFrom('auditLog')
    .select('action')
    .where('target', '=', `workflow:${id}`)
    .where('action', 'like', 'grant.%')
    .orderBy('id')
    .execute();
  expect(audited.map(({ action }) => action)).toEqual(['grant.create', 'grant.create', 'grant.delete', 'grant.delete']);
});

test('administrators manage a team; its members have its grants, and lists and totals stay exact', async () => {
  const [owner, member] = [await app.user(), await app.user()];
  const id = await release(owner, 'of-team');
  const own = await release(member, 'of-member');
  expect((await member.call('POST', '/api/admin/teams', { name: 'mine' })).status).toBe(401);
  const created = await app.operator('POST', '/api/admin/teams', {
    name: 'responders',
    members: [await nameOf(member)],
  });
  const team = (created.body as { id: string }).id;
  expect(created.body).toMatchObject({ memberCount: 1 });
  expect((await app.operator('POST', '/api/admin/teams', { name: 'responders' })).status).toBe(409);
  await owner.call('POST', `/api/v1/workflows/${id}/grants`, { permission: 'run', team: 'responders' });
  for (let n = 0; n < 3; n += 1) await run(owner, 'of-team');
  for (let n = 0; n < 2; n += 1) await run(member, 'of-team');
  await run(member, 'of-member');
  const viewer = { userId: member.user.id, administrator: false };
  const filters = { kinds: ['workflow', 'agent'] as const };
  const seen = await listRecentExecutions(app.database, viewer, filters, { limit: 10, offset: 0 });
  expect(seen).toHaveLength(6);
  expect(await countRecentExecutions(app.database, viewer, filters, 100)).toBe(6);
  expect(await keptCountOfRecent(app.database, viewer, filters)?.()).toBe(6);
  const sum = { plus: [`seen by ${member.user.id}`, id], minus: [`${id} of ${member.user.id}`] };
  expect(await findPlace(app.database, sum, undefined, { limit: 1, offset: 5 })).toMatchObject({
    offset: expect.any(Number),
  });
  expect(await findPlace(app.database, sum, undefined, { limit: 1, offset: 6 })).toBe('beyond');
  expect(await countedTotal(app.database, sum, ['pending'])).toBe(6);
  expect((await app.operator('DELETE', `/api/admin/teams/${team}`)).status).toBe(204);
  expect(await keptCountOfRecent(app.database, viewer, filters)?.()).toBe(3);
  expect((await member.call('GET', `/api/v1/workflows/${id}`)).status).toBe(404);
  expect((await member.call('GET', `/api/v1/workflows/${own}`)).status).toBe(200);
});

test('a queued execution does not start for a user who lost the right to run it', async () => {
  const [owner, member] = [await app.user(), await app.user()];
  const id = await release(owner, 'queued');
  await owner.call('POST', `/api/v1/workflows/${id}/grants`, { permission: 'run', user: await nameOf(member) });
  const [mine, theirs] = [await run(owner, 'queued'), await run(member, 'queued')];
  expect(await findNotAllowed(app.database, [mine, theirs])).toEqual(new Set());
  await app.database.deleteFrom('automationGrants').where('workflowId', '=', id).execute();
  expect(await findNotAllowed(app.database, [mine, theirs])).toEqual(new Set([theirs]));
  await app.database.updateTable('users').set({ disabled: true }).where('id', '=', owner.user.id).execute();
  expect(await findNotAllowed(app.database, [mine, theirs])).toEqual(new Set([mine, theirs]));
});

test('an agent cannot run a workflow that its caller may only read', async () => {
  const [owner, reader] = [await app.user(), await app.user()];
  const id = await release(owner, 'read-only');
  const { executions, watch, payloads, database } = app;
  const runWorkflow = createRunWorkflow({ database, executions, watch, payloads });
  const rights = { userId: reader.user.id, role: 'user', scopes: null } as const;
  const runIt = (cause: string) =>
    runWorkflow(
      { workflow: id, input: {}, rights, parentId: 'exec_agent', cause, waitMs: 0, causation: 0 },
      AbortSignal.timeout(60_000),
    );
  await owner.call('POST', `/api/v1/workflows/${id}/grants`, { permission: 'view', user: await nameOf(reader) });
  expect(await runIt('first')).toBeUndefined();
  await owner.call('POST', `/api/v1/workflows/${id}/grants`, { permission: 'run', user: await nameOf(reader) });
  expect(await runIt('second')).toMatchObject({ status: 'pending' });
});

test('concurrent grants do not exceed the maximum of a workflow', async () => {
  const owner = await app.user();
  const id = await release(owner, 'many-grants');
  const rows = Array.from({ length: 198 }, (_, n) => ({ id: `team_${n}`, name: `team ${n}` }));
  await app.database.insertInto('teams').values(rows).execute();
  await app.database
    .insertInto('automationGrants')
    .values(
      rows.map(({ id: teamId }, n) => ({
        id: `grant_many_${n}`,
        workflowId: id,
        agentId: null,
        userId: null,
        teamId,
        role: null,
        permission: 'view' as const,
        createdBy: 'test',
      })),
    )
    .execute();
  const added = await Promise.all(
    PERMISSIONS.map((permission) => owner.call('POST', `/api/v1/workflows/${id}/grants`, { permission, role: 'user' })),
  );
  expect(added.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400]);
});

test('a user with the grant edit cannot add a secret of the owner to a workflow', async () => {
  const [owner, editor] = [await app.user(), await app.user()];
  const using = (...secrets: string[]) =>
    yamlOf({ first: { set: { count: secrets.length } } }, { use: { secrets } }, 'uses-secrets');
  const put = async (person: Person, ...secrets: string[]) =>
    person.call('PUT', '/api/v1/workflows/uses-secrets', { yamlContent: using(...secrets) });
  expect((await put(owner, 'first', 'second')).status).toBe(200);
  expect((await put(owner, 'first')).status).toBe(200);
  const grant = { permission: 'edit', user: await nameOf(editor) };
  expect((await owner.call('POST', '/api/v1/workflows/uses-secrets/grants', grant)).status).toBe(200);
  const refused = await put(editor, 'first', 'second');
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("another secret: 'second'")]);
  const back = { version: '1' };
  expect((await editor.call('POST', '/api/v1/workflows/uses-secrets/rollback', back)).status).toBe(400);
  expect((await put(editor)).status).toBe(200);
  expect((await owner.call('POST', '/api/v1/workflows/uses-secrets/rollback', back)).status).toBe(200);
});

/** Bodies that are accepted from an authorized caller. */
const BODIES: Readonly<Record<string, unknown>> = {
  rollbackWorkflow: { version: '1.0.0' },
  runWorkflow: { input: {} },
  rerunWorkflowExecution: {},
  dryRunWorkflow: { executionId: 'exec_0000', yamlContent: yamlOf({ first: { set: { done: false } } }, {}, 'walled') },
  pauseWorkflow: {},
  countBulkAction: { action: 'cancel' },
  startBulkAction: { action: 'cancel' },
  grantWorkflow: { permission: 'view', role: 'user' },
  signalExecution: { specversion: '1.0', id: '1', source: '/test', type: 'org.example.go', data: {} },
};

test('a private workflow does not exist for another account in any route', async () => {
  const [owner, other] = [await app.user(), await app.user('analyst')];
  const id = await release(owner, 'walled');
  const executionId = await run(owner, 'walled');
  const walked = await expectHidden({
    app: app.app,
    call: other.call,
    named: { id: [id, 'wf_0000000000000000'], executionId: [executionId, 'exec_0000'] },
    bodies: BODIES,
    except: ['releaseWorkflow'],
  });
  expect(walked.length).toBeGreaterThan(30);
  // An own workflow cannot be tested with the records of another one.
  await release(other, 'own');
  const body = { executionId, yamlContent: yamlOf({ first: { set: {} } }, {}, 'own') };
  expect((await other.call('POST', '/api/v1/workflows/own/dry-run', body)).status).toBe(404);
  // Nothing changed.
  const after = await owner.call('GET', `/api/v1/workflows/executions/${executionId}`);
  expect(after.body).toMatchObject({ status: 'pending' });
  expect((await owner.call('GET', `/api/v1/workflows/${id}`)).body).toMatchObject({ name: 'walled' });
});
