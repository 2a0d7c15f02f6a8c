import { createHash } from 'node:crypto';
import { type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    samlAssertions: SamlAssertionsTable;
  }
}

/** A SAML assertion that was accepted. */
export interface SamlAssertionsTable {
  provider: string;
  /** As the identity provider named it. */
  assertionId: string;
  /** SHA-256 of the code by which the browser that asked fetches the account. */
  codeHash: Buffer | null;
  /** The request that it answers. */
  requestId: string | null;
  /** What the assertion says of the person; null when it was fetched, or waits for no browser. */
  account: unknown | null;
  acceptedAt: Generated<Date>;
  /** From then on the assertion is refused by its own times. */
  expiresAt: Date;
}

/** How long an account waits for its browser, which is redirected at once. */
const WAIT_SECONDS = 120;

/** Records an accepted assertion; false when it was accepted before. `answer`: the account waits for the browser that made the request. */
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

/** Takes the account that waits for this code and answers this request. A second call finds none. */
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

/** Resolves to how many assertions had expired by themselves. */
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
