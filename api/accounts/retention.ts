import type { Database } from '#api/postgres/database.ts';
import { deleteExpiredEmailChanges } from './tables/email-changes.ts';
import { deleteOldKeyUsage } from './tables/key-usage.ts';
import { deleteExpiredLogoutTokens } from './tables/logout-tokens.ts';
import { deleteExpiredCodes } from './tables/one-time-codes.ts';
import { deleteExpiredChallenges } from './tables/passkeys.ts';
import { deleteExpiredPendingSignIns } from './tables/pending-sign-ins.ts';
import { deleteExpiredResetTokens } from './tables/reset-tokens.ts';
import { deleteExpiredSamlAssertions } from './tables/saml-assertions.ts';
import { deleteExpiredSessions } from './tables/sessions.ts';

/**
 * Deletes expired rows: sessions, codes, reset tokens, changes of addresses, pending second factors, SAML assertions,
 * logout tokens. Resolves to the number of each. A worker calls it every few minutes.
 */
export async function deleteExpired(database: Database): Promise<{
  readonly sessions: number;
  readonly codes: number;
  readonly resetTokens: number;
  readonly emailChanges: number;
  readonly pendingSignIns: number;
  readonly passkeyChallenges: number;
  readonly samlAssertions: number;
  readonly logoutTokens: number;
  readonly keyUsage: number;
}> {
  return {
    sessions: await deleteExpiredSessions(database),
    codes: await deleteExpiredCodes(database),
    resetTokens: await deleteExpiredResetTokens(database),
    emailChanges: await deleteExpiredEmailChanges(database),
    pendingSignIns: await deleteExpiredPendingSignIns(database),
    passkeyChallenges: await deleteExpiredChallenges(database),
    samlAssertions: await deleteExpiredSamlAssertions(database),
    logoutTokens: await deleteExpiredLogoutTokens(database),
    keyUsage: await deleteOldKeyUsage(database),
  };
}
