import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { type CreatedKey, createdBefore } from '#api/postgres/keyset.ts';
import type { ExceptionRequestState } from '#schemas/api/exception-requests.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    exceptionRequests: ExceptionRequestsTable;
  }
}

/**
 * Requests for exceptions. States: open → approved, rejected or withdrawn, each final. An approved request contains the
 * id of its exception.
 */
export interface ExceptionRequestsTable {
  /** `exr_` and 32 hexadecimal digits. */
  id: string;
  hostname: string | null;
  program: string | null;
  file: string | null;
  rule: string | null;
  /** RFC 3339, unchanged from the request. */
  expires: string | null;
  reason: string;
  detectionId: string | null;
  createdAt: Generated<Date>;
  /** See `actorOf`. */
  requestedBy: string;
  /** See `principalOf`: the account of the requester, for all its keys and sessions. */
  requester: string;
  /** User name at the time of the request. */
  requesterName: string | null;
  state: Generated<ExceptionRequestState>;
  decidedAt: Date | null;
  decidedBy: string | null;
  decidedByName: string | null;
  decisionReason: string | null;
  exceptionId: string | null;
}
export type ExceptionRequestRow = Selectable<ExceptionRequestsTable>;

type NewRequest = Pick<
  ExceptionRequestRow,
  | 'id'
  | 'hostname'
  | 'program'
  | 'file'
  | 'rule'
  | 'expires'
  | 'reason'
  | 'detectionId'
  | 'requestedBy'
  | 'requester'
  | 'requesterName'
>;

/**
 * Stores the time in milliseconds, as cursors of the list have it. With a finer time, a page would omit requests of the
 * same millisecond.
 */
export function insertExceptionRequest(transaction: Db, row: NewRequest): Promise<ExceptionRequestRow> {
  return transaction
    .insertInto('exceptionRequests')
    .values({ ...row, createdAt: sql<Date>`date_trunc('milliseconds', now())` })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findExceptionRequest(db: Db, id: string): Promise<ExceptionRequestRow | undefined> {
  return db.selectFrom('exceptionRequests').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Lists requests, newest first, after the cursor position if given. */
export function listExceptionRequests(
  db: Db,
  {
    states,
    limit,
    after,
  }: {
    readonly states: readonly ExceptionRequestState[] | undefined;
    readonly limit: number;
    readonly after?: CreatedKey | undefined;
  },
): Promise<ExceptionRequestRow[]> {
  return db
    .selectFrom('exceptionRequests')
    .selectAll()
    .$if(states !== undefined, (query) => query.where('state', 'in', [...(states ?? [])]))
    .where((conditions) => (after === undefined ? conditions.lit(true) : createdBefore(after)))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the number of open requests, in total and of one requester. */
export async function countOpenRequests(
  db: Db,
  requester: string,
): Promise<{ readonly open: number; readonly own: number }> {
  const { open, own } = await db
    .selectFrom('exceptionRequests')
    .select(({ fn }) => [
      fn.countAll<number>().as('open'),
      fn.countAll<number>().filterWhere('requester', '=', requester).as('own'),
    ])
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  return { open: Number(open), own: Number(own) };
}

/** The decision about an open request. */
export interface RequestDecision {
  readonly state: Exclude<ExceptionRequestState, 'open'>;
  readonly decidedBy: string;
  readonly decidedByName: string | null;
  readonly decisionReason: string | null;
  readonly exceptionId: string | null;
}

/** Closes an open request. Undefined if it is no longer open. */
export function decideExceptionRequest(
  transaction: Db,
  id: string,
  decision: RequestDecision,
): Promise<ExceptionRequestRow | undefined> {
  return transaction
    .updateTable('exceptionRequests')
    .set({ ...decision, decidedAt: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returningAll()
    .executeTakeFirst();
}
