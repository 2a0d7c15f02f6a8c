import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperatorKeyCheck } from '#api/accounts/keys/operator-key.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createSeal } from '#api/executions/secrets/seal.ts';
import { triggerRoutes } from '#api/workflows/routes/triggers/routes.ts';
import { syncTriggers } from '#api/workflows/triggers/sync-triggers.ts';
import { webhookSignature } from '#api/workflows/triggers/webhook-signature.ts';
import { createWebhooks } from '#api/workflows/triggers/webhooks.ts';
import type { Scope } from '#schemas/api/roles.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { DEAF, insertUser, startKeyProcess } from '../../accounts/keys/key-fixture.ts';
import { OPERATOR_KEY, operatorGuard, startApp } from '../../running-app.ts';
import { executionsOf, release, scheduled, triggerDeps } from '../triggers/trigger-fixture.ts';

const { url: databaseUrl } = await usePostgres();
const keys = await startKeyProcess(databaseUrl, DEAF);
const { database } = keys;
const deps = triggerDeps(database);
const audit = createAudit();
let now = Date.parse('2026-05-01T12:00:00Z');
const webhooks = createWebhooks(
  { ...deps, audit, seal: createSeal(['a secret of the tests, of 32 characters']) },
  { now: () => now },
);
let running: Awaited<ReturnType<typeof startApp>>;
beforeAll(async () => {
  running = await startApp({
    deps: {
      guard: { ...operatorGuard(), isOperator: createOperatorKeyCheck(OPERATOR_KEY), verifyKey: keys.verify },
    },
    prepare: (app) => void app.register((scope) => triggerRoutes(scope as typeof app, { database, audit, webhooks })),
  });
});
afterAll(async () => {
  await running.app.close();
  await deps.close();
  await keys.close();
});

const PATH = (slug: string, rest: string) => `/api/v1/workflows/${slug}/${rest}`;

async function call(key: string | undefined, method: string, path: string, body?: unknown) {
  const response = await fetch(running.url + path, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as never };
}

async function owner(scopes?: readonly Scope[]) {
  const user = await insertUser(database, { role: 'user' });
  const { apiKey } = await keys.issue({ userId: user.id, label: 'test', scopes });
  return { id: user.id, call: (method: string, path: string, body?: unknown) => call(apiKey, method, path, body) };
}

async function webhook() {
  const me = await owner();
  const released = await release(database, scheduled(undefined), { ownerId: me.id });
  const opened = await me.call('PUT', PATH(released.slug, 'webhook'));
  expect(opened.status).toBe(200);
  const { secret, path } = opened.body as { secret: string; path: string };
  const deliver = async (body: string, signature?: string) => {
    const response = await fetch(running.url + path, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        ...(signature === undefined ? {} : { 'x-trapline-signature': signature }),
      },
    });
    return { status: response.status, body: (await response.json()) as { executionId?: string } };
  };
  const sign = (body: string, atMs = now) => webhookSignature(secret, Buffer.from(body), atMs);
  return { ...released, me, secret, deliver, sign };
}

describe('a webhook', () => {
  test('starts its workflow with the body as input, in the name of the owner', async () => {
    const { workflowId, me, deliver, sign } = await webhook();
    const body = '{"host":"web-1", "n": 1.50}';
    const answer = await deliver(body, sign(body));
    expect(answer.status).toBe(201);
    expect(await executionsOf(database, workflowId)).toMatchObject([
      { id: answer.body.executionId, triggerType: 'webhook', ownerId: me.id, triggerInput: { host: 'web-1', n: 1.5 } },
    ]);
  });

  test('creates one execution for concurrent repeated deliveries', async () => {
    const { workflowId, deliver, sign } = await webhook();
    const signature = sign('{}');
    const answers = await Promise.all(Array.from({ length: 8 }, () => deliver('{}', signature)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.executionId}`)).size).toBe(1);
    expect(await executionsOf(database, workflowId)).toHaveLength(1);
    now += 1_000;
    expect((await deliver('{}', sign('{}'))).body.executionId).not.toBe(answers[0]?.body.executionId);
  });

  test('starts nothing for a missing, wrong or outdated signature', async () => {
    const { workflowId, deliver, sign, secret } = await webhook();
    const right = sign('{}');
    const wrong = [
      undefined,
      '',
      'v1=00',
      right.replace('t=', 't=1'),
      sign('{"a":1}'),
      webhookSignature(`${secret}x`, Buffer.from('{}'), now),
      sign('{}', now - 301_000),
      sign('{}', now + 301_000),
      `${right},v1=${'0'.repeat(64)}`,
    ];
    for (const signature of wrong) expect(await deliver('{}', signature)).toMatchObject({ status: 401 });
    expect(await deliver('{}', sign('{}', now - 299_000))).toMatchObject({ status: 201 });
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const body of ['not json', deep]) expect(await deliver(body, sign(body))).toMatchObject({ status: 400 });
    expect(await executionsOf(database, workflowId)).toHaveLength(1);
  });

  test('that is disabled is a 403, and an unknown one looks like a wrong signature', async () => {
    const { slug, me, deliver, sign } = await webhook();
    expect((await me.call('PATCH', PATH(slug, 'triggers/webhook'), { enabled: false })).status).toBe(200);
    expect((await deliver('{}', sign('{}'))).status).toBe(403);
    expect((await deliver('{}', sign('{"a":1}'))).status).toBe(401);
    expect((await call(undefined, 'POST', PATH('unknown', 'webhook'), {})).status).toBe(401);
    expect((await me.call('DELETE', PATH(slug, 'webhook'))).status).toBe(204);
    expect((await deliver('{}', sign('{}'))).status).toBe(401);
    expect((await me.call('DELETE', PATH(slug, 'webhook'))).status).toBe(404);
  });

  test('a new secret replaces the old one, and neither the database nor the audit log contains a secret', async () => {
    const { slug, me, deliver, sign, secret, workflowId } = await webhook();
    const second = (await me.call('PUT', PATH(slug, 'webhook'))).body as { secret: string };
    expect((await deliver('{}', sign('{}'))).status).toBe(401);
    expect((await deliver('{}', webhookSignature(second.secret, Buffer.from('{}'), now))).status).toBe(201);
    const rows = await database
      .selectFrom('workflowTriggers')
      .selectAll()
      .where('workflowId', '=', workflowId)
      .execute();
    const entries = await database
      .selectFrom('auditLog')
      .selectAll()
      .where('target', '=', `workflow:${workflowId}`)
      .execute();
    expect(entries.map(({ action }) => action)).toEqual(['workflow.trigger', 'workflow.trigger']);
    for (const each of [secret, second.secret])
      expect(
        JSON.stringify([rows.map((row) => ({ ...row, secret: row.secret?.toString('latin1') })), entries]),
      ).not.toContain(each);
  });

  test('rejects a body that is too large before reading it', async () => {
    const { deliver, sign } = await webhook();
    const body = JSON.stringify('x'.repeat(2 ** 20));
    expect((await deliver(body, sign(body))).status).toBe(400);
  });
});

describe('triggers', () => {
  test('are listed for users who may see the workflow, and enabled only by its owner', async () => {
    const [me, other] = [await owner(), await owner()];
    const { slug } = await release(database, scheduled({ every: { minutes: 5 } }), { ownerId: me.id });
    await syncTriggers(database, () => now);
    const list = await me.call('GET', PATH(slug, 'triggers'));
    expect(list).toMatchObject({
      status: 200,
      body: {
        data: [
          { kind: 'schedule', enabled: true, problem: null, nextAt: new Date(now + 300_000).toISOString(), missed: 0 },
        ],
      },
    });
    expect((await other.call('GET', PATH(slug, 'triggers'))).status).toBe(404);
    expect((await other.call('PATCH', PATH(slug, 'triggers/schedule'), { enabled: false })).status).toBe(404);
    expect((await other.call('PUT', PATH(slug, 'webhook'))).status).toBe(404);
    await database.updateTable('workflows').set({ visibility: 'shared' }).where('slug', '=', slug).execute();
    expect((await other.call('GET', PATH(slug, 'triggers'))).status).toBe(200);
    expect((await other.call('PUT', PATH(slug, 'webhook'))).status).toBe(403);
    expect((await me.call('PATCH', PATH(slug, 'triggers/schedule'), { enabled: false })).body).toMatchObject({
      enabled: false,
    });
    expect((await me.call('PATCH', PATH(slug, 'triggers/event'), { enabled: false })).status).toBe(404);
    expect((await call(OPERATOR_KEY, 'PATCH', PATH(slug, 'triggers/schedule'), { enabled: true })).status).toBe(200);
  });

  test('require a key with the scope', async () => {
    const reader = await owner(['workflows:read']);
    const { slug } = await release(database, scheduled(undefined), { ownerId: reader.id });
    expect((await reader.call('GET', PATH(slug, 'triggers'))).status).toBe(200);
    expect((await reader.call('PUT', PATH(slug, 'webhook'))).status).toBe(403);
    expect((await call(undefined, 'GET', PATH(slug, 'triggers'))).status).toBe(401);
  });
});
