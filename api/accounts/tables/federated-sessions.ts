import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    federatedSessions: FederatedSessionsTable;
  }
}

/** The account and session at an identity provider with which a local session began. Deleting the session deletes the row. */
export interface FederatedSessionsTable {
  sessionId: string;
  /** Id of the provider in this service. */
  provider: string;
  /** The provider's id of the account. */
  subject: string;
  /** The provider's id of its session. Null: it reported none. */
  sid: string | null;
}

/** The origin of a session. */
export type SessionOrigin = Pick<FederatedSessionsTable, 'provider' | 'subject' | 'sid'>;

/** The target of a provider's logout: one session, all sessions of an account, or a session with its account. */
export interface FederatedLogout {
  readonly provider: string;
  readonly subject: string | undefined;
  readonly sid: string | undefined;
}

export async function insertFederatedSession(db: Db, session: FederatedSessionsTable): Promise<void> {
  await db.insertInto('federatedSessions').values(session).execute();
}

/**
 * Ends the sessions that a provider logs out, and their sign-ins that wait for a second factor. Resolves to the ended
 * sessions. With both `sid` and `subject`, a session of this account without a known `sid` also ends, because it may be
 * the target.
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
