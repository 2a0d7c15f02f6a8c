import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    federatedSessions: FederatedSessionsTable;
  }
}

/** The account and the session at an identity provider that a session here began with. Deleting the session deletes the row. */
export interface FederatedSessionsTable {
  sessionId: string;
  /** Id of the provider here. */
  provider: string;
  /** The provider's own id of the account. */
  subject: string;
  /** The provider's own id of its session; null: it named none. */
  sid: string | null;
}

/** Where a session began. */
export type SessionOrigin = Pick<FederatedSessionsTable, 'provider' | 'subject' | 'sid'>;

/** Whom or what a provider logs out: one session, all of an account, or both named. */
export interface FederatedLogout {
  readonly provider: string;
  readonly subject: string | undefined;
  readonly sid: string | undefined;
}

export async function insertFederatedSession(db: Db, session: FederatedSessionsTable): Promise<void> {
  await db.insertInto('federatedSessions').values(session).execute();
}

/**
 * Ends the sessions that a provider logs out, and sign-ins of them that wait for a second factor; resolves to the sessions that ended. With both `sid`
 * and `subject`, a session of this account whose `sid` is not known ends too: it can be the one that is meant.
 */
export async function endFederatedSessions(
  db: Db,
  logout: FederatedLogout,
): Promise<{ readonly id: string; readonly userId: string }[]> {
  const { provider } = logout;
  const [subject, sid] = [logout.subject ?? null, logout.sid ?? null];
  await sql`
    DELETE FROM pending_sign_ins
    WHERE method = ${`provider:${provider}`} AND (${subject}::text IS NULL OR provider_subject = ${subject})
      AND (${sid}::text IS NULL OR provider_sid = ${sid} OR (${subject}::text IS NOT NULL AND provider_sid IS NULL))`.execute(
    db,
  );
  const { rows } = await sql<{ id: string; userId: string }>`
    DELETE FROM sessions USING federated_sessions AS origin
    WHERE origin.session_id = sessions.id AND origin.provider = ${provider}
      AND (${subject}::text IS NULL OR origin.subject = ${subject})
      AND (${sid}::text IS NULL OR origin.sid = ${sid} OR (${subject}::text IS NOT NULL AND origin.sid IS NULL))
    RETURNING sessions.id, sessions.user_id`.execute(db);
  return rows;
}
