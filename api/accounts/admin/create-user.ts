import type { Audit } from '#api/audit/port.ts';
import { apiError } from '#api/http/api-error.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Role } from '#schemas/api/roles.ts';
import type { Hasher } from '../passwords/hasher.ts';
import { WEAKNESS_TEXTS, weaknessOf } from '../passwords/password-policy.ts';
import { type AdministeredUser, findUser } from '../tables/user-administration.ts';
import { insertUser } from '../tables/users.ts';

export interface NewUser {
  /** Lower case. */
  readonly email: string;
  readonly username: string;
  readonly role: Role;
  /** If undefined, the user sets it with the mail for forgotten passwords, or signs in with a provider. */
  readonly password?: string | undefined;
  /**
   * The administrator confirms that the address belongs to this person. Default false: no provider account is linked to
   * it until the user has proven the address by mail.
   */
  readonly emailVerified?: boolean | undefined;
}

/**
 * Creates an account, with its audit entry in the same transaction. Rejects with `ApiError` for a name or address that
 * is taken or a weak password, or with `HasherBusy`.
 */
export type CreateUser = (
  user: NewUser,
  by: { readonly actor: string; readonly origin: RequestOrigin },
) => Promise<AdministeredUser>;

export function createUserCreation(deps: {
  readonly database: Database;
  readonly audit: Audit;
  readonly hasher: Pick<Hasher, 'hash'>;
}): CreateUser {
  const { database, audit, hasher } = deps;
  return async ({ email, username, role, password, emailVerified = false }, { actor, origin }) => {
    const weakness = password === undefined ? undefined : weaknessOf(password, { username, email });
    if (weakness !== undefined) throw apiError('invalid_value', WEAKNESS_TEXTS[weakness], 'password');
    const passwordHash = password === undefined ? null : await hasher.hash(password);
    try {
      return await inTransaction(database, async (transaction) => {
        const { id } = await insertUser(transaction, { email, username, role, passwordHash, emailVerified });
        await audit.record(transaction, {
          actor,
          target: `user:${id}`,
          action: 'user.create',
          diff: {
            email: { after: email },
            username: { after: username },
            role: { after: role },
            emailVerified: { after: emailVerified },
          },
          origin,
        });
        return (await findUser(transaction, id)) as AdministeredUser;
      });
    } catch (error) {
      const taken = violatedUnique(error);
      if (taken === 'users_email_key') throw apiError('conflict', 'this address has an account already', 'email');
      if (taken === 'users_username_key') throw apiError('conflict', 'this name is taken', 'username');
      throw error;
    }
  };
}
