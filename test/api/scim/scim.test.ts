import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccountAnnouncements, SESSIONS_ENDED } from '#api/accounts/admin/announce-change.ts';
import { createUserAdministration } from '#api/accounts/admin/change-user.ts';
import { createSessions } from '#api/accounts/sessions/sessions.ts';
import { createAudit } from '#api/audit/audit.ts';
import type { Database } from '#api/postgres/database.ts';
import { roleOf } from '#api/scim/roles.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import { rolesOfGroups } from '#deploy/config/group-roles.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { operatorGuard, startApp } from '../running-app.ts';

const KEY = 'tl_scim.secret';
const USER_URN = 'urn:ietf:params:scim:schemas:core:2.0:User';
const PATCH_URN = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
let database: Database;
let app: Awaited<ReturnType<typeof startApp>>;
let ownerId: string;
const ended: string[] = [];
const changedKeys: string[] = [];
const sessions = () => createSessions({ database }, { secrets: ['a secret of the tests, long enough'] });

beforeAll(async () => {
  ({ database } = await usePostgres());
  const owner = { username: 'scim-owner', email: 'owner@example.org', passwordHash: null, emailVerified: true };
  const { id } = await database
    .insertInto('users')
    .values({ ...owner, role: 'admin' })
    .returning('id')
    .executeTakeFirstOrThrow();
  ownerId = id;
  const audit = createAudit();
  const { channels } = createMemorySharedState();
  await channels.subscribe(SESSIONS_ENDED, (message) => void ended.push(message));
  const keyChanges = {
    announce: async (change: object) => void changedKeys.push(JSON.stringify(change)),
  };
  const changeUser = createUserAdministration({
    database,
    audit,
    announcements: createAccountAnnouncements({ channels, keyChanges }),
  });
  const key = {
    kind: 'key',
    userId: ownerId,
    username: 'scim-owner',
    role: 'admin',
    keyId: 'tl_scim',
    scopes: ['scim'],
  } as const;
  app = await startApp({
    deps: {
      scim: {
        database,
        audit,
        changeUser,
        roles: new Map(rolesOfGroups('SOC analysts=analyst,Platform=admin')),
        logger: { warn: () => {} },
        publicUrl: () => 'https://trapline.example.org',
      },
      guard: {
        ...operatorGuard(),
        verifyKey: async (presented) =>
          presented === KEY ? key : presented === 'tl_other.secret' ? { ...key, scopes: ['scrapers'] } : undefined,
      },
    },
  });
});
afterAll(() => app.app.close());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: resources are JSON of any form
  readonly body: any;
}

async function call(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${app.url}/api/scim/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${KEY}`,
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

let people = 0;
async function newUser(more: object = {}): Promise<Answer['body']> {
  people += 1;
  const userName = `person-${people}@example.org`;
  const made = await call('POST', '/Users', { schemas: [USER_URN], userName, externalId: `ext-${people}`, ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
}
const patch = (path: string, Operations: object[], headers?: Record<string, string>) =>
  call('PATCH', path, { schemas: [PATCH_URN], Operations }, headers);
const actions = async () => {
  const rows = await database
    .selectFrom('auditLog')
    .select(['action', 'actor'])
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  return `${rows[0]?.actor} ${rows[0]?.action}`;
};

describe('SCIM', () => {
  test('requires keys with the scope scim, and reports errors in the SCIM form', async () => {
    for (const [authorization, status] of [
      ['', 401],
      ['Bearer tl_other.secret', 403],
    ] as const) {
      const refused = await call('GET', '/Users', undefined, { authorization });
      expect(refused.status).toBe(status);
      expect(refused.headers.get('content-type')).toContain('application/scim+json');
      expect(refused.body).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: String(status),
      });
    }
    const syntax = await fetch(`${app.url}/api/scim/v2/Users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/scim+json' },
      body: '{',
    });
    expect(syntax.status).toBe(400);
  });

  test('describes its capabilities', async () => {
    const { body } = await call('GET', '/ServiceProviderConfig');
    expect(body).toMatchObject({
      patch: { supported: true },
      filter: { supported: true },
      bulk: { supported: true, maxOperations: 200, maxPayloadSize: 2 ** 20 },
      etag: { supported: true },
    });
    expect((await call('GET', '/ResourceTypes')).body.Resources.map(({ id }: { id: string }) => id)).toEqual([
      'User',
      'Group',
    ]);
    expect((await call('GET', `/Schemas/${USER_URN}`)).body.attributes[0]).toMatchObject({
      name: 'userName',
      uniqueness: 'server',
    });
    expect((await call('GET', '/Schemas/none')).status).toBe(404);
  });
});

describe('a user', () => {
  test('is created, found by name, read with a version, and replaced', async () => {
    const made = await call('POST', '/Users', {
      schemas: [USER_URN],
      userName: 'Ana.Silva@example.org',
      externalId: 'e-1',
      name: { givenName: 'Ana', familyName: 'Silva' },
      emails: [
        { value: 'other@example.org', type: 'home' },
        { value: 'Ana@example.org', primary: true },
      ],
      password: 'is not kept',
      title: 'is not kept',
    });
    expect(made.status).toBe(201);
    const { id, meta } = made.body;
    expect(made.headers.get('location')).toBe(`https://trapline.example.org/api/scim/v2/Users/${id}`);
    expect(made.headers.get('etag')).toBe(meta.version);
    expect(made.body).toMatchObject({
      userName: 'Ana.Silva@example.org',
      externalId: 'e-1',
      emails: [{ value: 'ana@example.org', primary: true }],
      active: true,
      roles: [{ value: 'user' }],
    });
    const account = await database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(account).toMatchObject({ passwordHash: null, emailVerified: true, role: 'user', username: 'Ana-Silva' });
    expect(await actions()).toBe('key:tl_scim user.create');

    const found = await call('GET', `/Users?filter=${encodeURIComponent('userName eq "ana.silva@EXAMPLE.org"')}`);
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
    expect((await call('GET', `/Users/${id}`, undefined, { 'if-none-match': meta.version })).status).toBe(304);

    const changed = await call(
      'PUT',
      `/Users/${id}`,
      { userName: 'ana', emails: [{ value: 'ana2@example.org' }] },
      { 'if-match': meta.version },
    );
    expect(changed.body).toMatchObject({ userName: 'ana', emails: [{ value: 'ana2@example.org' }] });
    expect(changed.body.externalId).toBeUndefined();
    expect((await call('PUT', `/Users/${id}`, { userName: 'ana3' }, { 'if-match': meta.version })).status).toBe(412);
  });

  test('with a taken name or address is a conflict, and without an address is rejected', async () => {
    const one = await newUser();
    expect(await call('POST', '/Users', { userName: one.userName.toUpperCase() })).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    });
    expect(
      (await call('POST', '/Users', { userName: 'someone', emails: [{ value: 'owner@example.org' }] })).status,
    ).toBe(409);
    // The e-mail address belongs to an account that no provider created.
    expect(
      (await call('POST', '/Users', { userName: 'owner@example.org', emails: [{ value: 'x@example.org' }] })).status,
    ).toBe(409);
    expect(await call('POST', '/Users', { userName: 'someone' })).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue' },
    });
    const other = await newUser();
    expect(
      (
        await patch(`/Users/${other.id}`, [
          { op: 'replace', path: 'emails[type eq "work"].value', value: one.userName },
        ])
      ).status,
    ).toBe(409);
  });

  test('that is deactivated loses sessions and keys immediately, and can be activated again', async () => {
    const { id } = await newUser();
    const origin = { ip: '192.0.2.1', userAgent: 'test', requestId: 'r' };
    const { token } = await sessions().open(database, { id, role: 'user' }, origin);
    expect(await sessions().authenticate(token)).toBeDefined();
    const off = await patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }]);
    expect(off.body).toMatchObject({ active: false });
    expect(await sessions().authenticate(token)).toBeUndefined();
    expect(ended.at(-1)).toContain(id);
    expect(changedKeys.at(-1)).toContain(id);
    expect(
      (await call('GET', `/Users?filter=${encodeURIComponent(`id eq "${id}" and active eq false`)}`)).body.totalResults,
    ).toBe(1);
    // A rejected request does not enable the account.
    const { userName } = await newUser();
    const refused = await patch(`/Users/${id}`, [{ op: 'replace', value: { active: true, userName } }]);
    // Neither does a request that does not mention the status.
    expect((await call('PUT', `/Users/${id}`, { userName: off.body.userName })).body.active).toBe(false);
    expect((await patch(`/Users/${id}`, [{ op: 'remove', path: 'active' }])).body.active).toBe(false);
    expect([refused.status, (await call('GET', `/Users/${id}`)).body.active]).toEqual([409, false]);
    expect((await patch(`/Users/${id}`, [{ op: 'replace', value: { active: true } }])).body).toMatchObject({
      active: true,
    });
  });

  test('that is deleted is disabled and hidden, and returns when it is created again', async () => {
    const { id, userName } = await newUser();
    expect((await call('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await call('GET', `/Users/${id}`)).status).toBe(404);
    expect((await call('DELETE', `/Users/${id}`)).status).toBe(404);
    const account = await database.selectFrom('users').select('disabled').where('id', '=', id).executeTakeFirst();
    expect(account).toEqual({ disabled: true });
    const again = await call('POST', '/Users', { userName });
    expect(again).toMatchObject({ status: 201, body: { id, active: true } });
  });

  test('cannot be deactivated if it owns the key or is the last administrator', async () => {
    const refused = await patch(`/Users/${ownerId}`, [{ op: 'replace', path: 'active', value: false }]);
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('owner of the key') } });
    expect((await call('DELETE', `/Users/${ownerId}`)).status).toBe(403);
    const admin = await newUser();
    await database.updateTable('users').set({ role: 'admin' }).where('id', '=', admin.id).execute();
    await database.updateTable('users').set({ role: 'user' }).where('id', '=', ownerId).execute();
    const last = await patch(`/Users/${admin.id}`, [{ op: 'replace', path: 'active', value: false }]);
    expect(last).toMatchObject({ status: 403, body: { detail: expect.stringContaining('last administrator') } });
    await database.updateTable('users').set({ role: 'admin' }).where('id', '=', ownerId).execute();
    expect((await patch(`/Users/${admin.id}`, [{ op: 'replace', path: 'active', value: false }])).status).toBe(200);
  });

  test('lists are filtered, sorted, paged and projected', async () => {
    const names = ['zoe', 'Yann', 'xia'];
    for (const name of names)
      await newUser({ displayName: `List ${name}`, name: { givenName: name, familyName: 'List' } });
    const list = async (query: Record<string, string>) =>
      (await call('GET', `/Users?${new URLSearchParams(query)}`)).body;
    const filter = 'displayName sw "list " and name.familyName eq "LIST"';
    const sorted = await list({ filter, sortBy: 'displayName' });
    expect(sorted.Resources.map((one: { displayName: string }) => one.displayName)).toEqual([
      'List xia',
      'List Yann',
      'List zoe',
    ]);
    const second = await list({
      filter,
      sortBy: 'name.givenName',
      sortOrder: 'descending',
      startIndex: '2',
      count: '1',
      attributes: 'displayName',
    });
    expect(second).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 });
    expect(Object.keys(second.Resources[0]).sort()).toEqual(['displayName', 'id', 'meta', 'schemas']);
    expect((await list({ filter, count: '0' })).Resources).toEqual([]);
    expect((await list({ filter, excludedAttributes: 'emails' })).Resources[0].emails).toBeUndefined();
    for (const [one, total] of [
      [`${filter} and emails[type eq "work" and value co "example"]`, 3],
      [`${filter} and not (name.givenName ew "E")`, 2],
      [`${filter} and meta.created gt "2020-01-01T00:00:00Z" and externalId pr`, 3],
      [`${filter} and (displayName eq "list zoe" or userName eq "' OR 1=1 --")`, 1],
      [`${filter} and groups pr`, 0],
      [`${filter} and displayName lt "list y"`, 1],
    ] as const)
      expect([one, (await list({ filter: one })).totalResults]).toEqual([one, total]);
    for (const wrong of ['password eq "x"', 'active co "t"', 'userName gt 1', 'meta.created co "2020"', 'x'])
      expect(await list({ filter: wrong })).toMatchObject({ status: '400', scimType: 'invalidFilter' });
    expect(await list({ sortBy: 'password' })).toMatchObject({ status: '400' });
  });
});

describe('a group', () => {
  const group = (displayName: string, ids: string[]) =>
    call('POST', '/Groups', { displayName, externalId: 'g-1', members: ids.map((value) => ({ value })) });

  test('is a team whose members change with the requests of Entra ID and Okta', async () => {
    const [one, two] = [await newUser(), await newUser()];
    const made = await group('Blue Team (EU)', [one.id]);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { id } = made.body;
    expect(await database.selectFrom('teams').select('name').where('id', '=', id).executeTakeFirst()).toEqual({
      name: 'blue-team-eu',
    });
    expect((await group('blue team (EU)', [])).status).toBe(409);
    expect((await group('!', [])).status).toBe(400);

    const added = await patch(`/Groups/${id}`, [{ op: 'Add', path: 'members', value: [{ value: two.id }] }]);
    expect(added.body.members.map(({ value }: { value: string }) => value).sort()).toEqual([one.id, two.id].sort());
    const removed = await patch(`/Groups/${id}`, [{ op: 'remove', path: `members[value eq "${one.id}"]` }]);
    expect(removed.body.members).toMatchObject([{ value: two.id }]);
    expect(await actions()).toBe('key:tl_scim team.update');
    const renamed = await patch(`/Groups/${id}`, [{ op: 'replace', value: { id, displayName: 'Red Team' } }]);
    expect(renamed.body).toMatchObject({ displayName: 'Red Team' });

    const filter = encodeURIComponent(`displayName eq "red team" and members[value eq "${two.id}"]`);
    const found = await call('GET', `/Groups?filter=${filter}&excludedAttributes=members`);
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
    expect(found.body.Resources[0].members).toBeUndefined();
    expect((await call('GET', `/Users/${two.id}`)).body.groups).toMatchObject([{ value: id, display: 'Red Team' }]);

    const unknown = await patch(`/Groups/${id}`, [{ op: 'add', path: 'members', value: [{ value: 'unknown' }] }]);
    expect(unknown).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
    expect((await call('PUT', `/Groups/${id}`, { displayName: 'Red Team' }, { 'if-match': '"old"' })).status).toBe(412);
    expect((await call('PUT', `/Groups/${id}`, { displayName: 'Red Team' })).body.members).toEqual([]);
    expect((await call('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect((await call('GET', `/Groups/${id}`)).status).toBe(404);
  });

  test('gives its members a role, and removes it with the membership', async () => {
    const { id: userId } = await newUser();
    const roleNow = async () => (await call('GET', `/Users/${userId}`)).body.roles[0].value;
    const soc = (await group('SOC analysts', [userId])).body.id;
    expect(await roleNow()).toBe('analyst');
    const platform = (await group('Platform', [userId, ownerId])).body.id;
    expect(await roleNow()).toBe('admin');
    expect((await call('DELETE', `/Groups/${platform}`)).status).toBe(204);
    expect(await roleNow()).toBe('analyst');
    await patch(`/Groups/${soc}`, [{ op: 'remove', path: 'members' }]);
    expect(await roleNow()).toBe('user');
    // A deleted user is no longer a member, and is created again without the role.
    const other = await newUser();
    await patch(`/Groups/${soc}`, [{ op: 'add', path: 'members', value: [{ value: userId }, { value: other.id }] }]);
    expect(await roleNow()).toBe('analyst');
    const { userName } = (await call('GET', `/Users/${userId}`)).body;
    expect((await call('DELETE', `/Users/${userId}`)).status).toBe(204);
    const left = await patch(`/Groups/${soc}`, [{ op: 'replace', path: 'externalId', value: 'g-2' }]);
    expect(left).toMatchObject({ status: 200, body: { members: [{ value: other.id }] } });
    expect((await call('POST', '/Users', { userName })).body).toMatchObject({ id: userId, active: true, groups: [] });
    expect(await roleNow()).toBe('user');
    // An account that the provider does not manage keeps its role.
    expect((await call('GET', `/Users/${ownerId}`)).body.roles).toMatchObject([{ value: 'admin' }]);
    expect(roleOf(['platform', 'SOC analysts'], new Map([['soc analysts', 'analyst']]))).toBe('analyst');
  });
});

describe('a bulk request', () => {
  const BULK_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
  const bulk = (Operations: object[], more: object = {}) =>
    call('POST', '/Bulk', { schemas: [BULK_URN], ...more, Operations });
  const statuses = (answer: Answer) => answer.body.Operations.map(({ status }: { status: string }) => status);
  const user = (name: string, bulkId: string | undefined = name) => ({
    method: 'POST',
    path: '/Users',
    bulkId,
    data: { schemas: [USER_URN], userName: `${name}@bulk.example.org` },
  });

  test('creates a group before or after its users, with the outcome of each', async () => {
    const members = [{ value: 'bulkId:ann' }, { value: 'bulkId:bob' }];
    const group = { method: 'POST', path: '/Groups', bulkId: 'crew', data: { displayName: 'Bulk crew', members } };
    const answer = await bulk([user('ann'), group, user('bob')]);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('application/scim+json');
    expect(answer.body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:BulkResponse']);
    const [ann, crew, bob] = answer.body.Operations;
    expect([ann, crew, bob]).toMatchObject([
      { method: 'POST', bulkId: 'ann', status: '201', version: expect.stringMatching(/^W?\/?"/) },
      { method: 'POST', bulkId: 'crew', status: '201' },
      { method: 'POST', bulkId: 'bob', status: '201' },
    ]);
    expect(ann.location).toMatch(/^https:\/\/trapline\.example\.org\/api\/scim\/v2\/Users\/[\w-]+$/);
    const idOf = ({ location }: { location: string }) => location.split('/').at(-1) ?? '';
    const made = await call('GET', `/Groups/${idOf(crew)}`);
    expect(made.body.members.map(({ value }: { value: string }) => value).toSorted()).toEqual(
      [idOf(ann), idOf(bob)].toSorted(),
    );

    // Bulk operations, one of them with an outdated version.
    const operations = [{ op: 'replace', path: 'active', value: false }];
    const changed = await bulk([
      { method: 'PATCH', path: `/Users/${idOf(ann)}`, data: { schemas: [PATCH_URN], Operations: operations } },
      { method: 'PUT', path: `/Users/${idOf(bob)}`, version: 'W/"old"', data: user('bob').data },
      { method: 'DELETE', path: `/Groups/${idOf(crew)}` },
    ]);
    expect(statuses(changed)).toEqual(['200', '412', '204']);
    expect(changed.body.Operations[1].response).toMatchObject({ status: '412', detail: expect.any(String) });
    expect((await call('GET', `/Users/${idOf(ann)}`)).body.active).toBe(false);
    expect((await call('GET', `/Groups/${idOf(crew)}`)).status).toBe(404);
  });

  test('continues after a failure, and stops after failOnErrors', async () => {
    const operations = [
      user('cid'),
      { ...user('cid', 'again') },
      user('dora'),
      { ...user('cid', 'third') },
      user('eve'),
    ];
    expect(statuses(await bulk(operations, { failOnErrors: 2 }))).toEqual(['201', '409', '201', '409']);
    const found = await call('GET', `/Users?filter=${encodeURIComponent('userName eq "eve@bulk.example.org"')}`);
    expect(found.body.totalResults).toBe(0);
  });

  test('rejects unsupported operations individually', async () => {
    const named = (value: string) => ({ displayName: `Named ${value}`, members: [{ value: `bulkId:${value}` }] });
    const answer = await bulk([
      { method: 'POST', path: '/Users', data: user('no-id').data },
      user('twice-1', 'twice'),
      user('twice-2', 'twice'),
      { method: 'POST', path: '/Schemas', bulkId: 'schema', data: {} },
      { method: 'DELETE', path: '/Users' },
      { method: 'PATCH', path: '/Users/none', data: { Operations: [] } },
      { method: 'POST', path: '/Groups', bulkId: 'lost', data: named('nothing') },
      { method: 'PUT', path: '/Groups/bulkId:lost', data: named('lost') },
    ]);
    expect(statuses(answer)).toEqual(['400', '400', '400', '400', '400', '400', '409', '409']);
    // Two groups that refer to each other.
    const circle = await bulk([
      { method: 'POST', path: '/Groups', bulkId: 'one', data: named('two') },
      { method: 'POST', path: '/Groups', bulkId: 'two', data: named('one') },
    ]);
    expect(statuses(circle)).toEqual(['409', '409']);
    const many = await bulk(Array.from({ length: 201 }, (_, at) => user(`many-${at}`)));
    expect(many).toMatchObject({ status: 413, body: { detail: expect.stringContaining('at most 200') } });
    expect((await bulk([{ method: 'GET', path: '/Users' }])).status).toBe(400);
  });
});
