import type { Database } from '#api/postgres/database.ts';
import { deleteExpiredCodes } from './tables/one-time-codes.ts';
import { deleteExpiredResetTokens } from './tables/reset-tokens.ts';
import { deleteExpiredSessions } from './tables/sessions.ts';

/** Deletes what has expired: sessions, codes, reset tokens. Resolves to how many of each. For a worker, every few minutes. */
export async function deleteExpired(
  database: Database,
): Promise<{ readonly sessions: number; readonly codes: number; readonly resetTokens: number }> {
  return {
    sessions: await deleteExpiredSessions(database),
    codes: await deleteExpiredCodes(database),
    resetTokens: await deleteExpiredResetTokens(database),
  };
}
