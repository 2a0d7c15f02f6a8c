import { createKeyMaking, type NewApiKey } from '#api/accounts/keys/create-key.ts';
import { createKeyIssue } from '#api/accounts/keys/issue-key.ts';
import { createKeyChanges } from '#api/accounts/keys/key-changes.ts';
import { createKeyUsage } from '#api/accounts/keys/key-usage.ts';
import { createLastUsed } from '#api/accounts/keys/last-used.ts';
import { createKeyRevocation } from '#api/accounts/keys/revoke-key.ts';
import { createKeyUpdates } from '#api/accounts/keys/rotate-key.ts';
import { createKeyVerifier, type KeyVerifierOptions } from '#api/accounts/keys/verify-key.ts';
import { createHasher, type Hasher } from '#api/accounts/passwords/hasher.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import type { Channels } from '#api/shared-state/port.ts';
import { PATIENT, randomName } from '#test/support/use-services.ts';

export const ORIGIN = { ip: '192.0.2.7', userAgent: 'test', requestId: 'request-1' };
/** Channels that deliver nothing, as while Redis is unavailable. */
export const DEAF: Channels = {
  publish: async () => {
    throw new Error('away');
  },
  subscribe: async () => {
    throw new Error('away');
  },
};

export async function insertUser(database: Database, fields: { role?: 'user' | 'analyst' | 'admin' } = {}) {
  const username = randomName('user').slice(0, 32);
  return database
    .insertInto('users')
    .values({ username, email: `${username.toLowerCase()}@example.org`, passwordHash: null, ...fields })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The key services of one process, with their own connection pool and cache. `hashes` counts the hashes computed. */
export async function startKeyProcess(url: string, channels: Channels, options: KeyVerifierOptions = {}) {
  const database = createDatabase({ url, connections: 5, ...PATIENT });
  // The lowest cost of bcrypt: the tests count hashes, they do not need strong ones.
  const pool = createHasher({ threads: 2, maxQueued: 256, cost: 4 });
  const hashes = { made: 0, compared: 0 };
  const hasher: Pick<Hasher, 'hash' | 'verify' | 'decoy'> = {
    decoy: pool.decoy,
    hash: (secret) => {
      hashes.made += 1;
      return pool.hash(secret);
    },
    verify: (secret, hash) => {
      hashes.compared += 1;
      return pool.verify(secret, hash);
    },
  };
  const failures: unknown[] = [];
  const lastUsed = createLastUsed({ database, onFailure: (error) => failures.push(error) }, { everyMs: 20 });
  const changes = createKeyChanges({ channels });
  const audit = createAudit();
  const { prepareKey, createKey } = createKeyMaking({ hasher });
  const issueKey = createKeyIssue({ database, audit, prepareKey, createKey });
  const revokeKey = createKeyRevocation({ database, audit, changes });
  const updates = createKeyUpdates({ database, audit, hasher, changes }, { maxDays: null });
  const usage = createKeyUsage({ database, onFailure: (error) => failures.push(error) }, { everyMs: 20 });
  const verifier = await createKeyVerifier({ database, hasher, changes, lastUsed }, options);
  return {
    database,
    hashes,
    failures,
    changes,
    lastUsed,
    // In the order of the guard.
    verify: async (presented: string) => verifier.known(presented) ?? verifier.verify(presented),
    known: verifier.known,
    issueKey,
    hasher,
    revokeKey,
    ...updates,
    usage,
    createKey,
    revoke: (keyId: string, ownerId?: string) =>
      revokeKey({ keyId, ownerId, actor: `user:${ownerId}`, origin: ORIGIN }),
    issue: (wanted: NewApiKey) => issueKey(wanted, { actor: `user:${wanted.userId}`, origin: ORIGIN }),
    async close() {
      await verifier.close();
      await lastUsed.close();
      await usage.close();
      await pool.close();
      await database.destroy();
    },
  };
}

export type KeyProcess = Awaited<ReturnType<typeof startKeyProcess>>;
