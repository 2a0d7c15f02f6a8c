import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { type CreatedKey, createdBefore } from '#api/postgres/keyset.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    detectionExceptions: DetectionExceptionsTable;
  }
}

/** Exceptions of administrators, without those of the rules file. Ended exceptions stay, to explain what they silenced. */
export interface DetectionExceptionsTable {
  /** `exc_` and 32 hexadecimal digits. */
  id: string;
  hostname: string | null;
  program: string | null;
  file: string | null;
  rule: string | null;
  /** RFC 3339, unchanged from the request. */
  expires: string | null;
  reason: string;
  /** The detection from which it was created. */
  detectionId: string | null;
  createdAt: Generated<Date>;
  createdBy: string;
  endedAt: Date | null;
  endedBy: string | null;
  /** True if the last change of the exception has been applied to stored detections. */
  landed: Generated<boolean>;
  /** The approved request from which it was created. */
  requestId: string | null;
}
export type ExceptionRow = Selectable<DetectionExceptionsTable>;

/** Returns active exceptions, oldest first. A detection is attributed to the first exception that covers it. */
export function heldExceptions(db: Db): Promise<ExceptionRow[]> {
  return db
    .selectFrom('detectionExceptions')
    .selectAll()
    .where('endedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** Lists exceptions, newest first, after the cursor position if given. Includes ended exceptions on request. */
export function listExceptions(
  db: Db,
  {
    ended,
    limit,
    after,
  }: {
    readonly ended: boolean;
    readonly limit: number;
    readonly after?: CreatedKey | undefined;
  },
): Promise<ExceptionRow[]> {
  return db
    .selectFrom('detectionExceptions')
    .selectAll()
    .$if(!ended, (query) => query.where('endedAt', 'is', null))
    .where((conditions) => (after === undefined ? conditions.lit(true) : createdBefore(after)))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function countHeldExceptions(db: Db): Promise<number> {
  const { held } = await db
    .selectFrom('detectionExceptions')
    .select(({ fn }) => fn.countAll<number>().as('held'))
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(held);
}

export function insertException(
  transaction: Db,
  row: Omit<ExceptionRow, 'createdAt' | 'endedAt' | 'endedBy' | 'landed'>,
): Promise<ExceptionRow> {
  return transaction
    .insertInto('detectionExceptions')
    .values({ ...row, landed: false })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Ends an active exception. Undefined if there is no such exception. */
export function endException(transaction: Db, id: string, endedBy: string): Promise<ExceptionRow | undefined> {
  return transaction
    .updateTable('detectionExceptions')
    .set({ endedAt: sql`now()`, endedBy, landed: false })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Locks the application of exceptions for one process until the transaction ends. Resolves to the current time, which
 * is later than that of the previous lock holder.
 */
export async function lockLanding(transaction: Db): Promise<Date> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('trapline.detection_exceptions.landing'))`.execute(transaction);
  const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(transaction);
  return rows[0]?.now ?? new Date();
}

/**
 * Returns exceptions whose last change has not been applied to stored detections. Ended exceptions come first, so that
 * their detections pass to another exception that covers them.
 */
export function exceptionsToLand(db: Db): Promise<ExceptionRow[]> {
  return db
    .selectFrom('detectionExceptions')
    .selectAll()
    .where('landed', '=', false)
    .orderBy(sql`ended_at IS NULL`)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** Marks an exception as applied. If it ended after it was read, it stays pending. */
export async function markExceptionLanded(transaction: Db, { id, endedAt }: ExceptionRow): Promise<void> {
  await transaction
    .updateTable('detectionExceptions')
    .set({ landed: true })
    .where('id', '=', id)
    .$if(endedAt === null, (query) => query.where('endedAt', 'is', null))
    .execute();
}
