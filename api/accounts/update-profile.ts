import type { Audit } from '#api/audit/port.ts';
import type { SessionCaller } from '#api/http/access/caller.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { isReservedName } from './reserved-names.ts';
import { type Profile, updateProfile } from './tables/users.ts';

export interface ProfileChange {
  readonly username?: string;
  /** null removes the picture. */
  readonly image?: string | null;
}

export type UpdateProfileResult =
  | { readonly kind: 'updated'; readonly user: Profile }
  /** The username is taken or reserved. */
  | { readonly kind: 'username-taken' }
  | { readonly kind: 'unknown' };

export type UpdateProfile = (
  caller: SessionCaller,
  change: ProfileChange,
  origin: RequestOrigin,
) => Promise<UpdateProfileResult>;

/** Thrown to roll back the change. */
class NameIsReserved extends Error {}

/** Creates the function with which users change their own name and picture; nothing else can be changed. */
export function createUpdateProfile(deps: { readonly database: Database; readonly audit: Audit }): UpdateProfile {
  return async ({ userId }, change, origin) => {
    try {
      return await inTransaction(deps.database, async (transaction): Promise<UpdateProfileResult> => {
        const updated = await updateProfile(transaction, userId, change);
        if (updated === undefined) return { kind: 'unknown' };
        const { before, after } = updated;
        // A user who was given such a name keeps it.
        const renamed = before.username.toLowerCase() !== after.username.toLowerCase();
        if (renamed && isReservedName(after.username)) throw new NameIsReserved();
        const fields = (['username', 'image'] as const).filter((field) => before[field] !== after[field]);
        if (fields.length > 0) {
          await deps.audit.record(transaction, {
            actor: `user:${userId}`,
            target: `user:${userId}`,
            action: 'user.update',
            diff: Object.fromEntries(fields.map((field) => [field, { before: before[field], after: after[field] }])),
            origin,
          });
        }
        return { kind: 'updated', user: after };
      });
    } catch (error) {
      if (error instanceof NameIsReserved || violatedUnique(error) === 'users_username_key')
        return { kind: 'username-taken' };
      throw error;
    }
  };
}
