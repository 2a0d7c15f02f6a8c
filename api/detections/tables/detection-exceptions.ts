import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    detectionExceptions: DetectionExceptionsTable;
  }
}

/** Exceptions that administrators made; those of the rules file are not here. An ended one stays, so that what it silenced can be explained. */
export interface DetectionExceptionsTable {
  /** `exc_` and 32 hexadecimal digits. */
  id: string;
  hostname: string | null;
  program: string | null;
  file: string | null;
  rule: string | null;
  /** RFC 3339, as it was given. */
  expires: string | null;
  reason: string;
  /** The detection it was made from. */
  detectionId: string | null;
  createdAt: Generated<Date>;
  createdBy: string;
  endedAt: Date | null;
  endedBy: string | null;
  /** Whether detections there are have followed what became of it. */
  landed: Generated<boolean>;
  /** The approved request that it comes from. */
  requestId: string | null;
}
export type ExceptionRow = Selectable<DetectionExceptionsTable>;

/** Exceptions that hold, the oldest first: the first that covers a detection names it. */
export function heldExceptions(db: Db): Promise<ExceptionRow[]> {
  return db
    .selectFrom('detectionExceptions')
    .selectAll()
    .where('endedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** The newest first, after a place in the list if one is given; ended ones too where they are asked for. */
export function listExceptions(
  db: Db,
  {
    ended,
    limit,
    after,
  }: {
    readonly ended: boolean;
    readonly limit: number;
    readonly after?: readonly [createdAt: Date, id: string] | undefined;
  },
): Promise<ExceptionRow[]> {
  return db
    .selectFrom('detectionExceptions')
    .selectAll()
    .$if(!ended, (query) => query.where('endedAt', 'is', null))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after?.[0]}, ${after?.[1] ?? ''})`),
    )
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

/** Ends an active exception; undefined when there is no such exception. */
export function endException(transaction: Db, id: string, endedBy: string): Promise<ExceptionRow | undefined> {
  return transaction
    .updateTable('detectionExceptions')
    .set({ endedAt: sql`now()`, endedBy, landed: false })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Lets one process at a time land exceptions, to the end of the transaction. Resolves to the current time, later than that of the previous holder of the lock. */
export async function lockLanding(transaction: Db): Promise<Date> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('trapline.detection_exceptions.landing'))`.execute(transaction);
  const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(transaction);
  return rows[0]?.now ?? new Date();
}

/** Exceptions that detections there are have not followed yet, those taken away first: what another one covers goes over to it. */
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

/** Only what was landed: an exception that was removed since waits again. */
export async function markExceptionLanded(transaction: Db, { id, endedAt }: ExceptionRow): Promise<void> {
  await transaction
    .updateTable('detectionExceptions')
    .set({ landed: true })
    .where('id', '=', id)
    .$if(endedAt === null, (query) => query.where('endedAt', 'is', null))
    .execute();
}
