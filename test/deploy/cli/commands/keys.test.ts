import { afterAll, describe, expect, it } from 'vitest';
import { runKeyedApp } from '#test/api/keyed-app.ts';
import { OPERATOR_KEY } from '#test/api/running-app.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { runCommand } from '../run-command.ts';

const direct = await usePostgres({ migrated: false });
const served = await usePostgres();
const app = await runKeyedApp(served.url);
afterAll(() => app.end());

describe.each([
  [
    'on a database before the first server',
    direct.database,
    { DATABASE_URL: direct.url, AUTH_URL: 'https://trapline.example.org' },
  ],
  ['of a running server', served.database, { TRAPLINE_URL: app.url, TRAPLINE_API_KEY: OPERATOR_KEY }],
] as const)('trapline users and keys, %s', (_, database, environment) => {
  const run = (...args: string[]) => runCommand(args, { environment: { ...environment } });

  it('create an account and its keys, print each key once, and revoke keys', async () => {
    const ada = await run('users', 'create', '--email', 'Ada@example.org', '--username', 'ada', '--role', 'admin');
    expect(ada).toMatchObject({ code: 0, stderr: '' });
    const link = {
      url: expect.stringMatching(/^https:\/\/trapline\.example\.org\/auth\/reset-password\?token=[\w-]{43}$/),
      expiresAt: expect.stringMatching(/Z$/),
    };
    expect(JSON.parse(ada.stdout)).toMatchObject({
      ...{ email: 'ada@example.org', role: 'admin', emailVerified: false },
      passwordLink: link,
    });
    expect(JSON.parse((await run('users', 'password-link', 'ada@example.org')).stdout)).toEqual(link);

    const made = await run(
      'keys',
      'create',
      '--email',
      'ADA@example.org',
      '--name',
      'ci',
      '--scopes',
      'scrapers,admin',
    );
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const { apiKey, keyId, ...rest } = JSON.parse(made.stdout);
    expect(apiKey).toMatch(/^tl_[0-9A-Za-z]{12}\.[0-9A-Za-z]{49}$/);
    expect(rest).toEqual({ label: 'ci', scopes: ['scrapers', 'admin'], expiresAt: null });

    const listed = await run('keys', 'list', '--email', 'ada@example.org');
    expect(JSON.parse(listed.stdout).data).toMatchObject([{ keyId, label: 'ci', revoked: false }]);
    expect(listed.stdout).not.toContain(apiKey);

    const limits = [
      '--networks',
      '203.0.113.0/24, 2001:db8::1',
      '--workflows',
      'triage',
      '--requests-per-minute',
      '60',
    ];
    const limited = await run('keys', 'create', '--email', 'ada@example.org', '--name', 'limited', ...limits);
    expect(limited).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse((await run('keys', 'list', '--email', 'ada@example.org')).stdout).data).toContainEqual(
      expect.objectContaining({
        label: 'limited',
        networks: ['203.0.113.0/24', '2001:db8::1'],
        workflows: ['triage'],
        agents: [],
        requestsPerMinute: 60,
        requestsPerDay: null,
      }),
    );
    const rotated = await run('keys', 'rotate', JSON.parse(limited.stdout).apiKey, '--overlap', '0');
    expect(rotated).toMatchObject({ code: 0, stderr: '' });
    const { apiKey: next, ...rotation } = JSON.parse(rotated.stdout);
    expect(next).not.toBe(JSON.parse(limited.stdout).apiKey);
    expect(rotation).toEqual({
      keyId: JSON.parse(limited.stdout).keyId,
      previousUntil: expect.stringMatching(/Z$/),
      expiresAt: null,
    });
    expect(rotated.stdout).toContain(`"apiKey":"${rotation.keyId}.`);
    await run('keys', 'revoke', rotation.keyId);
    expect(await run('keys', 'rotate', rotation.keyId)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('revoked or has expired'),
    });

    // `revoke` accepts the whole key instead of its id, and does not print its secret.
    const revoked = await run('keys', 'revoke', apiKey);
    expect(revoked).toMatchObject({ code: 0, stdout: `{"keyId":"${keyId}","revoked":true}\n` });
    expect(JSON.parse((await run('keys', 'list', '--email', 'ada@example.org')).stdout).data).toContainEqual(
      expect.objectContaining({ keyId, revoked: true }),
    );
    const entries = await database.selectFrom('auditLog').orderBy('id').select(['actor', 'action']).execute();
    expect(entries).toEqual(
      [
        'user.create',
        'password.link',
        'password.link',
        'key.create',
        'key.create',
        'key.rotate',
        'key.revoke',
        'key.revoke',
      ].map((action) => ({
        actor: 'operator',
        action,
      })),
    );
  });

  it('list accounts, disable and enable them, change roles, and keep the last administrator', async () => {
    await run('users', 'create', '--email', 'eve@example.org', '--username', 'eve');
    expect(await run('users', 'set-role', 'Eve@example.org', 'analyst')).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse((await run('users', 'disable', 'eve@example.org')).stdout)).toMatchObject({ disabled: true });
    expect(JSON.parse((await run('users', 'enable', 'eve@example.org')).stdout)).toMatchObject({ disabled: false });
    expect(JSON.parse((await run('users', 'list')).stdout).data).toMatchObject([
      { email: 'ada@example.org', role: 'admin', disabled: false },
      { email: 'eve@example.org', role: 'analyst', disabled: false },
    ]);
    const last = await run('users', 'disable', 'ada@example.org');
    expect(last).toMatchObject({ code: 1, stdout: '' });
    expect(last.stderr).toMatch(/administrator/);
    expect((await run('users', 'set-role', 'unknown@example.org', 'user')).stderr).toContain('no user has the address');
    expect(await run('users', 'set-role', 'eve@example.org', 'root')).toMatchObject({ code: 2, stdout: '' });
  });

  it('report errors with the exit code of their kind', async () => {
    await run('users', 'create', '--email', 'bob@example.org', '--username', 'bob');
    for (const [args, code, message] of [
      [['users', 'create', '--email', 'bob@example.org', '--username', 'bobby'], 1, 'this address has an account'],
      [['users', 'create', '--email', 'bobby@example.org', '--username', 'BOB'], 1, 'this name is taken'],
      [['users', 'create', '--email', 'bob', '--username', 'bob'], 2, 'bob is not an e-mail address'],
      [['users', 'create', '--email', 'b@example.org', '--username', 'b'], 2, '3 to 32 letters'],
      [['users', 'create', '--email', 'b@example.org', '--username', 'bbb', '--role', 'root'], 2, 'Allowed choices'],
      [['keys', 'create', '--email', 'unknown@example.org', '--name', 'x'], 1, 'no user has the address'],
      [['keys', 'create', '--email', 'bob@example.org', '--name', 'x', '--scopes', 'admin'], 2, 'does not allow admin'],
      [['keys', 'create', '--email', 'bob@example.org', '--name', 'x', '--scopes', 'all'], 2, '--scopes'],
      [['keys', 'create', '--email', 'bob@example.org', '--name', ''], 2, '--name'],
      [['keys', 'create', '--email', 'bob@example.org', '--name', 'x', '--expires', 'soon'], 2, '--expires'],
      [['keys', 'create', '--email', 'bob@example.org', '--name', 'x', '--networks', 'home'], 2, '--networks'],
      [
        ['keys', 'create', '--email', 'bob@example.org', '--name', 'x', '--requests-per-day', '100001'],
        2,
        '--requests-per-day: must be at most 100000',
      ],
      [
        ['keys', 'create', '--email', 'bob@example.org', '--name', 'x', '--expires', '2020-01-31T00:00:00Z'],
        2,
        'expiresAt: must be in the future',
      ],
      [['keys', 'create', '--name', 'x'], 2, '--email'],
      [['keys', 'revoke', 'tl_000000000000'], 1, 'there is no such key'],
      [['keys', 'rotate', 'tl_000000000000'], 1, 'there is no such key'],
      [['keys', 'rotate', 'tl_000000000000', '--overlap', 'a day'], 2, '--overlap: '],
      [['keys', 'rotate', 'tl_000000000000', '--expires', 'soon'], 2, '--expires: '],
    ] as const) {
      const refused = await run(...args);
      expect(refused).toMatchObject({ code, stdout: '' });
      expect(refused.stderr).toContain(message);
    }
  });
});

describe('trapline users and keys', () => {
  it('report an unavailable database, an unknown address for links, and a missing server and database', async () => {
    const away = await runCommand(['keys', 'list', '--email', 'a@example.org'], {
      environment: { DATABASE_URL: 'postgres://unknown@127.0.0.1:1/none' },
    });
    expect(away).toMatchObject({ code: 1, stdout: '' });
    expect(away.stderr).toBe(
      'trapline: PostgreSQL cannot be reached (ECONNREFUSED): check DATABASE_URL and the server\n',
    );
    const created = ['users', 'create', '--email', 'eva@example.org', '--username', 'eva'];
    const withoutAddress = await runCommand(created, { environment: { DATABASE_URL: direct.url } });
    expect(withoutAddress).toMatchObject({ code: 0, stderr: expect.stringContaining('set AUTH_URL') });
    expect(JSON.parse(withoutAddress.stdout)).not.toHaveProperty('passwordLink');
    const neither = await runCommand(['keys', 'list', '--email', 'a@example.org']);
    expect(neither).toMatchObject({ code: 2, stdout: '' });
    expect(neither.stderr).toContain('no server runs');
  });
});
