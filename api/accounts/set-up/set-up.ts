import { sql } from 'kysely';
import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { normalEmail } from '../email-address.ts';
import type { Hasher } from '../passwords/hasher.ts';
import { type PasswordWeakness, weaknessOf } from '../passwords/password-policy.ts';
import type { OpenedSignIn, OpenSignIn } from '../second-factor/open-sign-in.ts';
import { insertUser, type Profile } from '../tables/users.ts';
import { isSetUpToken } from './set-up-token.ts';

export interface SetUpDeps {
  readonly database: Database;
  readonly hasher: Pick<Hasher, 'hash'>;
  readonly openSignIn: OpenSignIn;
  readonly audit: Audit;
  /** AUTH_SECRET, newest first. */
  readonly setUpSecrets: readonly string[];
}

export interface FirstAccount {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

export type SetUpResult =
  | { readonly kind: 'set-up'; readonly user: Profile; readonly opened: OpenedSignIn }
  /** The token is wrong or expired, or an administrator exists. */
  | { readonly kind: 'refused' }
  /** The token stays valid. */
  | { readonly kind: 'weak-password'; readonly weakness: PasswordWeakness }
  /** Another account has the name or the address. The token stays valid. */
  | { readonly kind: 'taken'; readonly field: 'username' | 'email' };

/** Rejects with `HasherBusy`. The token stays valid then. */
export type SetUp = (token: string, wanted: FirstAccount, origin: RequestOrigin) => Promise<SetUpResult>;

/** The field of each unique constraint. */
const TAKEN: Readonly<Record<string, 'username' | 'email'>> = {
  users_username_key: 'username',
  users_email_key: 'email',
};

/** True until an administrator exists. An account that registered itself is not an administrator and cannot create one. */
export async function hasNoAdministrator(db: Db): Promise<boolean> {
  const found = await db.selectFrom('users').select('id').where('role', '=', 'admin').limit(1).executeTakeFirst();
  return found === undefined;
}

/**
 * Creates the first administrator with the token of a set-up link, and signs it in. Of several concurrent requests, one
 * succeeds.
 */
export function createSetUp({ database, hasher, openSignIn, audit, setUpSecrets }: SetUpDeps): SetUp {
  return async (token, { username, email: address, password }, origin) => {
    if (!isSetUpToken(setUpSecrets, token, new Date()) || !(await hasNoAdministrator(database)))
      return { kind: 'refused' };
    const email = normalEmail(address);
    const weakness = weaknessOf(password, { username, email });
    if (weakness !== undefined) return { kind: 'weak-password', weakness };
    const passwordHash = await hasher.hash(password);
    const made = inTransaction(database, async (transaction): Promise<SetUpResult> => {
      // Concurrent transactions that create accounts wait until this one ends.
      await sql`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
      if (!(await hasNoAdministrator(transaction))) return { kind: 'refused' };
      // The address needs no proof: the owner of the link has access to the log of the server.
      const first = { username, email, passwordHash, role: 'admin', emailVerified: true } as const;
      const user = await insertUser(transaction, first);
      const opened = await openSignIn(transaction, user, { method: 'set-up link' }, origin);
      const actor = `user:${user.id}`;
      const diff = { username: { after: username }, email: { after: email }, role: { after: user.role } };
      await audit.record(transaction, { actor, target: actor, action: 'user.set-up', diff, origin });
      if (opened.kind === 'session')
        await audit.record(transaction, {
          actor,
          target: `session:${opened.session.sessionId}`,
          action: 'session.create',
          diff: { by: { after: 'set-up link' } },
          origin,
        });
      return { kind: 'set-up', user, opened };
    });
    return made.catch((error: unknown) => {
      const field = TAKEN[violatedUnique(error) ?? ''];
      if (field === undefined) throw error;
      return { kind: 'taken', field };
    });
  };
}
