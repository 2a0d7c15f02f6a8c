import { createKeyMaking } from '#api/accounts/keys/create-key.ts';
import { createKeyChanges, type KeyChanges } from '#api/accounts/keys/key-changes.ts';
import { createKeyHasher } from '#api/accounts/keys/key-hasher.ts';
import { createKeyUsage, type KeyUsage } from '#api/accounts/keys/key-usage.ts';
import { createLastUsed } from '#api/accounts/keys/last-used.ts';
import { createOperatorKeyCheck } from '#api/accounts/keys/operator-key.ts';
import { createKeyVerifier } from '#api/accounts/keys/verify-key.ts';
import { createHasher, type Hasher } from '#api/accounts/passwords/hasher.ts';
import { type SessionCookie, sessionCookie } from '#api/accounts/sessions/session-cookie.ts';
import { createSessions, type Sessions } from '#api/accounts/sessions/sessions.ts';
import { type AddressLimiter, createAddressLimiter } from '#api/http/limits/address-limiter.ts';
import { createClientAddress } from '#api/http/limits/client-address.ts';
import { createPollLimiter } from '#api/http/limits/poll-limiter.ts';
import type { GuardDeps } from '#api/http/plugins/guard.ts';
import { serverOperatorKey } from '../../operator-key.ts';
import type { Foundation } from './foundation.ts';

/** The parts of access control, some of which other parts use as well. */
export interface AccessPart {
  readonly guard: GuardDeps;
  readonly cookie: SessionCookie;
  readonly limiter: AddressLimiter;
  readonly sessions: Sessions;
  readonly keyChanges: KeyChanges;
  readonly keyMaking: ReturnType<typeof createKeyMaking>;
  readonly keyHasher: Hasher;
  readonly keyUsage: KeyUsage;
  /** Password hasher. */
  readonly hasher: Hasher;
}

/** Starts keys, sessions and limits, which the guard checks on every request. */
export async function startAccess(foundation: Foundation): Promise<AccessPart> {
  const { config, lifecycle, log, database, shared, secrets, report } = foundation;
  const hashing = (name: string, create: () => Hasher) =>
    lifecycle.start(name, () => {
      const value = create();
      return { value, stop: () => value.close() };
    });
  const hasher = await hashing('password hashing', () => createHasher({ threads: 1 }));
  const keyHasher = await hashing('key hashing', createKeyHasher);
  const lastUsed = await lifecycle.start('last use of keys', () => {
    const onFailure = (err: unknown) => log.warn({ err }, 'cannot write the last use of API keys, retrying');
    const value = createLastUsed({ database, onFailure });
    return { value, stop: () => value.close() };
  });
  const keyUsage = await lifecycle.start('usage of keys', () => {
    const value = createKeyUsage({
      database,
      onFailure: (err) => log.warn({ err }, 'cannot write the usage of API keys, retrying'),
    });
    return { value, stop: () => value.close() };
  });
  const keyChanges = createKeyChanges({ channels: shared.channels });
  const keys = await lifecycle.start('key verification', async () => {
    const value = await createKeyVerifier({ database, hasher: keyHasher, changes: keyChanges, lastUsed });
    return { value, stop: () => value.close() };
  });
  const operatorKey = await serverOperatorKey(config.dataDir);
  const isOperator = operatorKey === undefined ? () => undefined : createOperatorKeyCheck(operatorKey);
  const sessions = createSessions(
    { database },
    {
      secrets: secrets.jwt,
      maxPerUser: config.platform.maxSessions,
      secondFactorRoles: config.platform.secondFactor.requiredRoles,
    },
  );
  const { address, addressBlockMs, polls, wrongKeys } = config.platform.limits;
  const limiter = createAddressLimiter({ shared }, { general: address, blockMs: addressBlockMs, wrongKeys });
  const cookie = sessionCookie({ secure: config.platform.url?.startsWith('https://') ?? false });
  const guard: GuardDeps = {
    clientAddress: createClientAddress(config.platform.trustedProxies),
    limits: limiter,
    polls: createPollLimiter({ shared }, polls),
    isOperator,
    verifyKey: keys.verify,
    knownKey: keys.known,
    sessionCookie: cookie.name,
    authenticateSession: sessions.authenticate,
    adminKey: config.platform.adminKey,
    report,
  };
  return {
    guard,
    cookie,
    limiter,
    sessions,
    keyChanges,
    keyMaking: createKeyMaking({ hasher: keyHasher }, config.platform.keys),
    keyHasher,
    keyUsage,
    hasher,
  };
}
