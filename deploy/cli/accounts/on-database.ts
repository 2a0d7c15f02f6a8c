import { randomUUID } from 'node:crypto';
import { createUserAdministration, UserChangeRefused } from '#api/accounts/admin/change-user.ts';
import { createUserCreation } from '#api/accounts/admin/create-user.ts';
import { createPasswordLinks } from '#api/accounts/admin/password-link.ts';
import { createKeyMaking } from '#api/accounts/keys/create-key.ts';
import { createKeyIssue } from '#api/accounts/keys/issue-key.ts';
import { createKeyRevocation } from '#api/accounts/keys/revoke-key.ts';
import { createKeyUpdates } from '#api/accounts/keys/rotate-key.ts';
import { createHasher } from '#api/accounts/passwords/hasher.ts';
import {
  apiKeyRecord,
  createdApiKeyRecord,
  rotatedApiKeyRecord,
  wantedApiKey,
  wantedRotation,
} from '#api/accounts/records/api-key-record.ts';
import { administeredUserRecord } from '#api/accounts/records/user-record.ts';
import { listApiKeys } from '#api/accounts/tables/api-keys.ts';
import { listUsers } from '#api/accounts/tables/user-administration.ts';
import { findUserByEmail } from '#api/accounts/tables/users.ts';
import { createAudit } from '#api/audit/audit.ts';
import { ApiError, ROOT } from '#api/http/api-error.ts';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { isDatabaseUnavailable } from '#api/postgres/failure.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { CommandError } from '../command-error.ts';
import type { Accounts } from './port.ts';

/** Refusals that no other words on the command line would avoid. */
const NOT_USAGE: ReadonlySet<string> = new Set(['conflict', 'not_found']);

/** Maximum length of a list; an installation has far fewer users. */
const MAX_USERS = 1_000_000;

/**
 * Runs `work` with the accounts and keys of a database, with the same functions as the server. Prepares the tables
 * first. `publicUrl` is the address of the server for users.
 */
export async function withDatabaseAccounts<T>(
  { url, publicUrl }: { readonly url: string; readonly publicUrl: string | undefined },
  work: (accounts: Accounts) => Promise<T>,
): Promise<T> {
  const database = createDatabase({ url, connections: 2 });
  const hasher = createHasher({ threads: 1 });
  try {
    await migrateDatabase(database);
    return await work(accountsOf(database, hasher, publicUrl));
  } catch (error) {
    if (error instanceof ApiError) throw new CommandError(issuesOf(error), NOT_USAGE.has(error.code) ? 1 : 2);
    if (error instanceof UserChangeRefused)
      throw new CommandError('this is the last administrator: create another one first');
    if (isDatabaseUnavailable(error))
      throw new CommandError(`PostgreSQL cannot be reached (${codeOf(error)}): check DATABASE_URL and the server`);
    throw error;
  } finally {
    await hasher.close();
    await database.destroy();
  }
}

function accountsOf(
  database: Database,
  hasher: ReturnType<typeof createHasher>,
  publicUrl: string | undefined,
): Accounts {
  const audit = createAudit();
  const by = { actor: 'operator', origin: { ip: '127.0.0.1', userAgent: 'trapline', requestId: randomUUID() } };
  const createUser = createUserCreation({ database, audit, hasher });
  const issueKey = createKeyIssue({ database, audit, ...createKeyMaking({ hasher }) });
  // Processes that use this database find changes by polling, within half a second.
  const unheard = { announce: async () => {} };
  const revokeKey = createKeyRevocation({ database, audit, changes: unheard });
  const { rotateKey } = createKeyUpdates({ database, audit, hasher, changes: unheard }, { maxDays: null });
  const changeUser = createUserAdministration({ database, audit, announcements: unheard });
  return {
    async createPasswordLink(userId) {
      if (publicUrl === undefined) return undefined;
      const link = await createPasswordLinks({ database, audit, publicUrl: () => publicUrl })(userId, by);
      if (typeof link === 'string') throw new CommandError(`no link is created: ${link}`);
      return { url: link.url, expiresAt: link.expiresAt.toISOString() };
    },
    createUser: async (user) => administeredUserRecord(await createUser(user, by)),
    async listUsers() {
      const { rows } = await listUsers(database, {}, { limit: MAX_USERS, offset: 0 });
      return rows.map(administeredUserRecord);
    },
    async changeUser(userId, change) {
      const user = await changeUser(userId, change, { ...by, userId: undefined });
      if (user === undefined) throw new CommandError('there is no such user');
      return administeredUserRecord(user);
    },
    async userIdOf(email) {
      const user = await findUserByEmail(database, email.toLowerCase());
      if (user === undefined) throw new CommandError(`no user has the address ${email}`);
      return user.id;
    },
    async createKey(userId, key) {
      const wanted = wantedApiKey(userId, key);
      return createdApiKeyRecord(await issueKey(wanted, by), wanted);
    },
    listKeys: async (userId) => ({ data: (await listApiKeys(database, userId)).map(apiKeyRecord) }),
    async revokeKey(keyId) {
      if (!(await revokeKey({ keyId, ...by }))) throw new CommandError('there is no such key');
    },
    rotateKey: async (keyId, rotation) =>
      rotatedApiKeyRecord(await rotateKey({ keyId, ownerId: undefined, ...by, ...wantedRotation(rotation) })),
  };
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'no answer';
}

/** Formats each issue with its field, as the HTTP API does. */
function issuesOf({ issues }: ApiError): string {
  return issues.map(({ field, message }) => (field === ROOT ? message : `${field}: ${message}`)).join('; ');
}
