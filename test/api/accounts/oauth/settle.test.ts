import { beforeAll, describe, expect, test } from 'vitest';
import { createKeyMaking } from '#api/accounts/keys/create-key.ts';
import { DEFAULT_POLICY } from '#api/accounts/oauth/provider-policy.ts';
import { createSealProviderSession } from '#api/accounts/oauth/provider-sign-out.ts';
import { createSettle } from '#api/accounts/oauth/settle.ts';
import { createOpenSignIn } from '#api/accounts/second-factor/open-sign-in.ts';
import { createSessions } from '#api/accounts/sessions/sessions.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createSeal } from '#api/executions/secrets/seal.ts';
import type { Database } from '#api/postgres/database.ts';
import { createTeamSync } from '#api/sharing/provider-teams.ts';
import { usePostgres } from '#test/support/use-services.ts';

const ROUNDS = 4;
let database: Database;
beforeAll(async () => {
  ({ database } = await usePostgres());
});

function settling() {
  // Slow hashing does not matter here. The row of the key only needs some text.
  const keys = createKeyMaking({ hasher: { hash: async () => 'hash' } });
  const sessions = createSessions({ database }, { secrets: ['a secret of the tests, long enough'] });
  const audit = createAudit();
  const openSignIn = createOpenSignIn({ sessions, audit });
  const settle = createSettle({
    database,
    audit,
    openSignIn,
    mayRegister: () => true,
    announcements: { announce: async () => {} },
    syncTeams: createTeamSync({ audit }),
    sealSession: createSealProviderSession({ seal: createSeal(['a secret of the tests, long enough']) }),
    ...keys,
  });
  return (subject: string, email: string) =>
    settle({
      provider: 'idp',
      policy: DEFAULT_POLICY,
      account: { subject, email, emailVerified: true, login: undefined },
      origin: { ip: '192.0.2.1', userAgent: 'test', requestId: 'request' },
    });
}

async function kindsOf(settled: Promise<{ kind: string; reason?: string }>[]): Promise<string[]> {
  return (await Promise.all(settled)).map(({ kind, reason }) => reason ?? kind).sort();
}

// Regression: a sign-in read the identity, another one committed, then the first read the address and took the account
// for that of another person.
describe('concurrent sign-ins', () => {
  test('of one new account create one user, and sign in the others', async () => {
    const settle = settling();
    for (let round = 0; round < ROUNDS; round += 1) {
      const all = Array.from({ length: 8 }, () => settle(`new-${round}`, `new-${round}@example.org`));
      expect(await kindsOf(all)).toEqual(['create', ...Array(7).fill('sign-in')]);
    }
  });

  test('of one account with the address of a user link it once, and sign in the others', async () => {
    const settle = settling();
    for (let round = 0; round < ROUNDS; round += 1) {
      const email = `known-${round}@example.org`;
      await database
        .insertInto('users')
        .values({ username: `known-${round}`, email, passwordHash: null, emailVerified: true })
        .execute();
      const all = Array.from({ length: 8 }, () => settle(`known-${round}`, email));
      expect(await kindsOf(all)).toEqual(['link', ...Array(7).fill('sign-in')]);
    }
  });

  test('of several accounts with one address admit one of them', async () => {
    const settle = settling();
    for (let round = 0; round < ROUNDS; round += 1) {
      const all = Array.from({ length: 6 }, (_, n) => settle(`rival-${round}-${n}`, `rival-${round}@example.org`));
      expect(await kindsOf(all)).toEqual(['create', ...Array(5).fill('other-identity-linked')]);
    }
  });
});

test('a new account cannot get a former name of another account', async () => {
  await database
    .insertInto('users')
    .values({ username: 'former', email: 'renamed@example.org', passwordHash: null, emailVerified: true })
    .execute();
  await database.updateTable('users').set({ username: 'renamed' }).where('username', '=', 'former').execute();
  expect(await settling()('comes-later', 'former@example.org')).toMatchObject({
    kind: 'create',
    user: { username: expect.stringMatching(/^former-\d{4}$/) },
  });
});
