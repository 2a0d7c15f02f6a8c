import { createHash } from 'node:crypto';
import { type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    samlAssertions: SamlAssertionsTable;
  }
}

/** An accepted SAML assertion. */
export interface SamlAssertionsTable {
  provider: string;
  /** Id that the identity provider assigned. */
  assertionId: string;
  /** SHA-256 of the code with which the requesting browser fetches the account. */
  codeHash: Buffer | null;
  /** Id of the request that the assertion responds to. */
  requestId: string | null;
  /** Account data of the assertion. Null if it was fetched, or no browser will fetch it. */
  account: unknown | null;
  acceptedAt: Generated<Date>;
  /** From this time on the assertion is rejected as expired anyway. */
  expiresAt: Date;
}

/** How long an account is stored for its browser, which is redirected immediately. */
const WAIT_SECONDS = 120;

/**
 * Records an accepted assertion. False if it was accepted before. With `answer`, the account is stored for the browser
 * that made the request.
 */
export async function insertSamlAssertion(
  db: Db,
  assertion: { readonly provider: string; readonly assertionId: string; readonly expiresAt: Date },
  answer?: { readonly code: string; readonly requestId: string; readonly account: object },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('samlAssertions')
    .values({
      ...assertion,
      codeHash: answer === undefined ? null : hashOf(answer.code),
      requestId: answer?.requestId ?? null,
      account: answer === undefined ? null : sql`${JSON.stringify(answer.account)}::jsonb`,
    })
    .onConflict((conflict) => conflict.columns(['provider', 'assertionId']).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Removes and returns the account for this code and request. A second call finds none. */
export async function takeSamlAccount(
  db: Db,
  { provider, code, requestId }: { readonly provider: string; readonly code: string; readonly requestId: string },
): Promise<unknown> {
  const { rows } = await sql<{ account: unknown }>`
    WITH found AS (
      SELECT provider, assertion_id, account FROM saml_assertions
      WHERE code_hash = ${hashOf(code)} AND provider = ${provider} AND request_id = ${requestId} AND account IS NOT NULL
        AND accepted_at > now() - make_interval(secs => ${WAIT_SECONDS})
      FOR UPDATE
    )
    UPDATE saml_assertions SET account = NULL FROM found
    WHERE saml_assertions.provider = found.provider AND saml_assertions.assertion_id = found.assertion_id
    RETURNING found.account`.execute(db);
  return rows[0]?.account ?? undefined;
}

/** Deletes expired assertions. Resolves to their number. */
export async function deleteExpiredSamlAssertions(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('samlAssertions')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
