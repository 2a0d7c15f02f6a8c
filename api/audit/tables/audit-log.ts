import { type ColumnType, type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { AuditAction } from '../port.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    auditLog: AuditLogTable;
  }
}

/** Append-only: the database rejects UPDATE, DELETE and TRUNCATE. The hash of each row covers the previous row. */
export interface AuditLogTable {
  /** Sequence number from 1, without gaps. */
  id: number;
  at: Date;
  /** The actor: `user:<id>`, `key:<keyId>`, `operator`, `system` or `anonymous`. */
  actor: string;
  /** The changed object: `user:<id>`, `key:<keyId>`, `rule:<id>` … */
  target: string;
  action: string;
  /** `{field: {before, after}}`; secrets are `[redacted]`. Stored as text, because the hash covers the exact text. */
  diff: ColumnType<Record<string, unknown>, string, never>;
  ip: string;
  userAgent: string;
  requestId: string;
  previousHash: Buffer;
  hash: Buffer;
}

export type AuditRow = Selectable<AuditLogTable>;
/** A row with the exact text of its diff. */
export type RawAuditRow = Omit<AuditRow, 'diff'> & { readonly diff: string };

export interface AuditFilters {
  /** Matches any of the values; the same applies to targets and actions. */
  readonly actor?: readonly string[] | undefined;
  readonly target?: readonly string[] | undefined;
  readonly action?: readonly string[] | undefined;
  /** From this time on. */
  readonly from?: Date | undefined;
  /** Before this time. */
  readonly to?: Date | undefined;
}

/** Adds rows that follow the head. The database rejects other rows. */
export async function insertAuditRows(transaction: Db, rows: readonly Insertable<AuditLogTable>[]): Promise<void> {
  await transaction.insertInto('auditLog').values(rows).execute();
}

/** Lists rows, newest first. `total` counts all rows that match the filters, on all pages. */
export async function listAuditRows(
  db: Db,
  filters: AuditFilters,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: AuditRow[]; total: number }> {
  const { actor, target, action, from, to } = filters;
  const chosen = db
    .selectFrom('auditLog')
    .$if(actor !== undefined, (query) => query.where('actor', 'in', actor ?? []))
    .$if(target !== undefined, (query) => query.where('target', 'in', target ?? []))
    .$if(action !== undefined, (query) => query.where('action', 'in', action ?? []))
    .$if(from !== undefined, (query) => query.where('at', '>=', from ?? new Date(0)))
    .$if(to !== undefined, (query) => query.where('at', '<', to ?? new Date(0)));
  const [rows, counted] = await Promise.all([
    chosen.selectAll().orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute(),
    chosen.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: counted.total };
}

/** Returns a row. Undefined if no row has this id. */
export function findAuditRow(db: Db, id: number): Promise<AuditRow | undefined> {
  return db.selectFrom('auditLog').selectAll().where('id', '=', id).executeTakeFirst();
}

/** True if a request has an entry of this kind. */
export async function hasAuditRow(
  db: Db,
  { target, action, requestId }: Pick<AuditRow, 'target' | 'action' | 'requestId'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('auditLog')
    .select('id')
    .where('target', '=', target)
    .where('action', '=', action)
    .where('requestId', '=', requestId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns up to `limit` rows after `after` by id; from the first row if it is undefined. */
export async function auditRowsAfter(db: Db, after: number | undefined, limit: number): Promise<RawAuditRow[]> {
  return db
    .selectFrom('auditLog')
    .select(['id', 'at', 'actor', 'target', 'action', 'ip', 'userAgent', 'requestId', 'previousHash', 'hash'])
    .select(sql<string>`diff::text`.as('diff'))
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? 0))
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Returns the time of the newest entry of an action. Undefined if no entry has this action. */
export async function lastTimeOf(db: Db, action: AuditAction): Promise<Date | undefined> {
  const row = await db
    .selectFrom('auditLog')
    .select('at')
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.at;
}
