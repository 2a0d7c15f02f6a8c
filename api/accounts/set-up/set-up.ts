import { sql } from 'kysely';
import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database, Db } from '#api/postgres/database.ts';
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
  /** AUTH_SECRET, the newest first. */
  readonly setUpSecrets: readonly string[];
}

export interface FirstAccount {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

export type SetUpResult =
  | { readonly kind: 'set-up'; readonly user: Profile; readonly opened: OpenedSignIn }
  /** The token is wrong or has expired, or there is an account. */
  | { readonly kind: 'refused' }
  /** The token stays good. */
  | { readonly kind: 'weak-password'; readonly weakness: PasswordWeakness };

/** Rejects with `HasherBusy`; the token stays good. */
export type SetUp = (token: string, wanted: FirstAccount, origin: RequestOrigin) => Promise<SetUpResult>;

/** Whether there is no account yet. */
export async function hasNoAccount(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;
}

/** Makes the first account, an administrator, by the token of a set-up link, and signs it in. Of several requests at once one succeeds. */
export function createSetUp({ database, hasher, openSignIn, audit, setUpSecrets }: SetUpDeps): SetUp {
  return async (token, { username, email: address, password }, origin) => {
    if (!isSetUpToken(setUpSecrets, token, new Date()) || !(await hasNoAccount(database))) return { kind: 'refused' };
    const email = normalEmail(address);
    const weakness = weaknessOf(password, { username, email });
    if (weakness !== undefined) return { kind: 'weak-password', weakness };
    const passwordHash = await hasher.hash(password);
    return inTransaction(database, async (transaction): Promise<SetUpResult> => {
      // Others that make an account wait until this one is there or has failed.
      await sql`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`.execute(transaction);
      if (!(await hasNoAccount(transaction))) return { kind: 'refused' };
      // Who has the link reads the log of the server: the address needs no proof.
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
  };
}
