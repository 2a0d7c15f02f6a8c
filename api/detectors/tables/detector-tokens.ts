import { type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    detectorTokens: DetectorTokensTable;
  }
}

/** A token that a host exchanges for a key once. */
export interface DetectorTokensTable {
  id: Generated<string>;
  /** SHA-256 of the token, which has 256 random bits. */
  tokenHash: Buffer;
  /** The administrator who created it. Null: the operator. The token is valid only while the account is an administrator. */
  ownerId: string | null;
  /** The only host that may use it. Null: any host that is not enrolled. */
  hostname: string | null;
  /** See `actorOf`. */
  createdBy: string;
  createdAt: Generated<Date>;
  expiresAt: Date;
  usedAt: Generated<Date | null>;
  /** The host that used it. */
  usedBy: Generated<string | null>;
}

/** Adds a token that is valid for a number of minutes by the clock of the database. */
export function insertDetectorToken(
  db: Db,
  token: Pick<DetectorTokensTable, 'tokenHash' | 'ownerId' | 'hostname' | 'createdBy'>,
  minutes: number,
): Promise<{ readonly id: string; readonly expiresAt: Date }> {
  return db
    .insertInto('detectorTokens')
    .values({ ...token, expiresAt: sql<Date>`now() + make_interval(mins => ${minutes})` })
    .returning(['id', 'expiresAt'])
    .executeTakeFirstOrThrow();
}

const VALID = sql<boolean>`used_at IS NULL AND expires_at > now() AND (owner_id IS NULL OR EXISTS (
  SELECT FROM users WHERE id = owner_id AND role = 'admin' AND NOT disabled AND coalesce(end_date > now(), true)))`;

/** True if the token is valid now. */
export async function isDetectorTokenValid(db: Db, tokenHash: Buffer): Promise<boolean> {
  const found = await db
    .selectFrom('detectorTokens')
    .select('id')
    .where('tokenHash', '=', tokenHash)
    .where(VALID)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Consumes the token for this host. Undefined if it is unknown, used, expired or for another host. Of two concurrent
 * calls, one succeeds.
 */
export function claimDetectorToken(
  db: Db,
  tokenHash: Buffer,
  hostname: string,
): Promise<{ readonly id: string; readonly hostname: string | null } | undefined> {
  return db
    .updateTable('detectorTokens')
    .set({ usedAt: sql<Date>`now()`, usedBy: hostname })
    .where('tokenHash', '=', tokenHash)
    .where(VALID)
    .where(sql<boolean>`coalesce(hostname = ${hostname}, true)`)
    .returning(['id', 'hostname'])
    .executeTakeFirst();
}
