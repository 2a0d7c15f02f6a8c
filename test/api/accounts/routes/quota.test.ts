import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuotaDefaults, setQuotaDefaults } from '#api/accounts/tables/quotas.ts';
import { QUOTA_RESOURCE_NAMES } from '#schemas/api/quotas.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { runKeyedApp } from '../../keyed-app.ts';
import { insertUser } from '../keys/key-fixture.ts';

const { database, url } = await usePostgres();
const UNLIMITED = Object.fromEntries(QUOTA_RESOURCE_NAMES.map((name) => [name, null])) as QuotaDefaults;
let app: Awaited<ReturnType<typeof runKeyedApp>>;
beforeAll(async () => {
  await setQuotaDefaults(database, { ...UNLIMITED, api_keys: 2 }, { administratorsUnlimited: true });
  app = await runKeyedApp(url);
});
afterAll(() => app.end());

const keysOf = ({ body }: { body: { data: { resource: string }[] } }) =>
  body.data.find(({ resource }) => resource === 'api_keys');

test('a user sees the usage, is rejected beyond the quota, and continues after an administrator raises it', async () => {
  const [user, administrator] = [await insertUser(database), await insertUser(database, { role: 'admin' })];
  const mine = await app.signIn(user);
  const admins = await app.signIn(administrator);
  const make = () => mine('POST', '/api/user/api-keys', { label: 'one more' });
  expect(keysOf(await mine('GET', '/api/user/quota'))).toMatchObject({ used: 0, quota: 2, own: false });
  expect([(await make()).status, (await make()).status]).toEqual([201, 201]);
  const refused = await make();
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({
    issues: [{ code: 'quota_exceeded', message: expect.stringContaining('api_keys is used up: 2 of 2') }],
    hint: expect.stringContaining('/api/user/quota'),
  });

  const address = `/api/admin/users/${user.id}/quota`;
  const changed = await admins('PATCH', address, { quotas: { api_keys: 3, agents: null } });
  expect(changed.status).toBe(200);
  expect(keysOf(changed)).toMatchObject({ used: 2, quota: 3, own: true });
  expect([(await make()).status, (await make()).status]).toEqual([201, 403]);
  await admins('PATCH', address, { quotas: { api_keys: 'default' } });
  expect(keysOf(await admins('GET', address))).toMatchObject({ used: 3, quota: 2, own: false });
  const audited = await database.selectFrom('auditLog').selectAll().where('action', '=', 'user.quota').execute();
  expect(audited).toHaveLength(2);
  expect(JSON.stringify(audited[0]?.diff)).toContain('"resource":"api_keys","quota":3');
});

test('concurrent requests create only as many keys as the quota allows', async () => {
  const mine = await app.signIn(await insertUser(database));
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => mine('POST', '/api/user/api-keys', { label: 'one of many' })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, ...Array.from({ length: 10 }, () => 403)]);
});

test('administrators are unlimited by default, and only they change quotas and see those of others', async () => {
  const [user, administrator] = [await insertUser(database), await insertUser(database, { role: 'admin' })];
  const admins = await app.signIn(administrator);
  for (let made = 0; made < 4; made += 1)
    expect((await admins('POST', '/api/user/api-keys', { label: 'mine' })).status).toBe(201);
  const mine = await app.signIn(user);
  const address = `/api/admin/users/${user.id}/quota`;
  expect((await mine('GET', address)).status).toBe(403);
  expect((await mine('PATCH', address, { quotas: { api_keys: 9 } })).status).toBe(403);
  expect((await fetch(`${app.url}/api/user/quota`)).status).toBe(401);
  const unknown = '/api/admin/users/6f1a5b0e-58c1-4f0e-9d58-0f2c7d1f6a11/quota';
  expect((await admins('GET', unknown)).status).toBe(404);
  expect((await admins('PATCH', unknown, { quotas: { agents: 1 } })).status).toBe(404);
  for (const body of [
    { quotas: { nothing: 1 } },
    { quotas: { agents: -1 } },
    { quotas: { agents: 1.5 } },
    { agents: 1 },
    {},
  ])
    expect((await admins('PATCH', address, body)).status).toBe(400);
});
