import type { Database } from '#api/postgres/database.ts';
import { deleteExpiredEmailChanges } from './tables/email-changes.ts';
import { deleteExpiredCodes } from './tables/one-time-codes.ts';
import { deleteExpiredResetTokens } from './tables/reset-tokens.ts';
import { deleteExpiredSessions } from './tables/sessions.ts';

/** Deletes what has expired: sessions, codes, reset tokens, changes of addresses. Resolves to how many of each. For a worker, every few minutes. */
export async function deleteExpired(database: Database): Promise<{
  readonly sessions: number;
  readonly codes: number;
  readonly resetTokens: number;
  readonly emailChanges: number;
}> {
  return {
    sessions: await deleteExpiredSessions(database),
    codes: await deleteExpiredCodes(database),
    resetTokens: await deleteExpiredResetTokens(database),
    emailChanges: await deleteExpiredEmailChanges(database),
  };
}
