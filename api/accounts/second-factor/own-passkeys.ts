import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Audit } from '#api/audit/port.ts';
import type { SessionCaller } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { AnnounceEnded } from '../sessions/announce-ended.ts';
import { deletePasskey, listPasskeys, type Passkey, renamePasskey } from '../tables/passkeys.ts';
import { secondFactorsOf } from '../tables/second-factors.ts';
import { lockUser } from '../tables/user-administration.ts';
import type { NotifyFactorChange } from './notices.ts';
import type { OwnFactorChanges } from './own-factors.ts';
import type { PasskeyCeremonies } from './passkey-ceremonies.ts';

/** A new passkey as a browser returns it. */
export interface NewPasskey {
  readonly name: string;
  readonly response: RegistrationResponseJSON;
}

/** Passkeys of the caller's account. Refusals are `ApiError`s. */
export interface OwnPasskeys {
  /** True if browsers offer passkeys for the public URL of this server. */
  available(): boolean;
  list(caller: SessionCaller): Promise<readonly Passkey[]>;
  startOwn(caller: SessionCaller): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** Adds a passkey. Resolves to it, and to recovery codes for an account without any. */
  addOwn(
    caller: SessionCaller,
    added: NewPasskey,
    origin: RequestOrigin,
  ): Promise<{ readonly passkey: Passkey; readonly recoveryCodes: readonly string[] | undefined }>;
  rename(caller: SessionCaller, id: string, name: string, origin: RequestOrigin): Promise<void>;
  remove(caller: SessionCaller, id: string, origin: RequestOrigin): Promise<void>;
}

export interface OwnPasskeyDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly notify: NotifyFactorChange;
  readonly announceEnded: AnnounceEnded;
  readonly ownFactors: OwnFactorChanges;
  readonly ceremonies: PasskeyCeremonies;
}

export function createOwnPasskeys(deps: OwnPasskeyDeps): OwnPasskeys {
  const { database, audit, notify, announceEnded, ownFactors, ceremonies } = deps;
  const { register, registered, store } = ceremonies;
  return {
    available: ceremonies.available,
    list: ({ userId }) => listPasskeys(database, userId),

    async startOwn(caller) {
      await ownFactors.requireConfirmed(caller);
      return register({ ...caller, id: caller.userId }, `session:${caller.sessionId}`);
    },

    async addOwn(caller, { name, response }, origin) {
      await ownFactors.requireConfirmed(caller);
      const passkey = await registered(response, `session:${caller.sessionId}`);
      const owner = { id: caller.userId, email: caller.email };
      const { ended, ...added } = await inTransaction(database, async (transaction) => {
        await lockUser(transaction, owner.id);
        const before = await secondFactorsOf(transaction, owner.id);
        const stored = await store(transaction, owner, name, passkey, origin);
        return { ...stored, ended: await ownFactors.enrolled(transaction, caller, before) };
      });
      for (const sessionId of ended) await announceEnded({ sessionId });
      return added;
    },

    async rename({ userId }, id, name, origin) {
      await inTransaction(database, async (transaction) => {
        const before = await renamePasskey(transaction, userId, id, name);
        if (before === undefined) throw apiError('not_found', 'you have no such passkey', 'id');
        await audit.record(transaction, {
          actor: `user:${userId}`,
          target: `user:${userId}`,
          action: 'passkey.update',
          diff: { passkey: { before: id, after: id }, name: { before: before.name, after: name } },
          origin,
        });
      });
    },

    async remove(caller, id, origin) {
      await ownFactors.requireConfirmed(caller);
      const { userId, email } = caller;
      await inTransaction(database, async (transaction) => {
        await lockUser(transaction, userId);
        const removed = await deletePasskey(transaction, userId, id);
        if (removed === undefined) throw apiError('not_found', 'you have no such passkey', 'id');
        await ownFactors.removed(transaction, caller);
        await audit.record(transaction, {
          actor: `user:${userId}`,
          target: `user:${userId}`,
          action: 'passkey.delete',
          diff: { passkey: { before: id }, name: { before: removed.name } },
          origin,
        });
        await notify(transaction, { id: userId, email }, 'passkey-removed', origin);
      });
    },
  };
}
