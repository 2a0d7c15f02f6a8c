import { type ColumnType, type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Detection } from '#schemas/detection.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    detectionTriage: DetectionTriageTable;
    detectionChanges: DetectionChangesTable;
  }
}

/** The decision of analysts about a detection. */
export type Decision = Pick<Detection, 'status' | 'verdict' | 'assignee' | 'note'>;

/** The current decision. A detection without a row has no decision yet. */
export interface DetectionTriageTable {
  detectionId: string;
  /** Increases by one with every change; 0: never changed. */
  version: Generated<number>;
  status: Generated<Decision['status']>;
  verdict: Decision['verdict'];
  assignee: string | null;
  note: string | null;
  /** Strictly increasing with the version. */
  changedAt: Generated<Date>;
  /** True if ClickHouse, from which lists are read, has this version. */
  landed: Generated<boolean>;
}
export type TriageRow = Selectable<DetectionTriageTable>;

/** The permanent history of decision changes. */
export interface DetectionChangesTable {
  detectionId: string;
  /** Version that the change created. */
  version: number;
  at: Date;
  /** See `actorOf`. */
  actor: string;
  /** User name of the account at the time of the change. */
  username: string | null;
  /** Slug of the workflow or agent that made the change for the account. Null: the caller made it directly. */
  automation: string | null;
  /** Id of the execution of the workflow or agent. */
  executionId: string | null;
  /** Changed fields with their previous values. */
  before: ColumnType<Partial<Decision>, string, never>;
  after: ColumnType<Partial<Decision>, string, never>;
}
export type DetectionChange = Selectable<DetectionChangesTable>;

export function findTriage(db: Db, detectionId: string): Promise<TriageRow | undefined> {
  return db.selectFrom('detectionTriage').selectAll().where('detectionId', '=', detectionId).executeTakeFirst();
}

/**
 * Locks the rows of these detections until the end of the transaction, and creates missing ones. The lock order is
 * always the same.
 */
export async function lockTriage(transaction: Db, detectionIds: readonly string[]): Promise<TriageRow[]> {
  const sorted = [...new Set(detectionIds)].sort();
  if (sorted.length === 0) return [];
  await transaction
    .insertInto('detectionTriage')
    .values(sorted.map((detectionId) => ({ detectionId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return transaction
    .selectFrom('detectionTriage')
    .selectAll()
    .where('detectionId', 'in', sorted)
    .orderBy('detectionId')
    .forUpdate()
    .execute();
}

/** Returns the time of a change: now, but always later than the previous change, even if the clock is set back. */
export async function nextChangeTime(transaction: Db, rows: readonly TriageRow[]): Promise<Date> {
  const { rows: found } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(transaction);
  const now = found[0]?.now ?? new Date();
  return new Date(rows.reduce((at, { changedAt }) => Math.max(at, changedAt.getTime() + 1), now.getTime()));
}

/** Writes decisions of locked rows, with their changes. */
export async function saveDecisions(
  transaction: Db,
  rows: readonly TriageRow[],
  changes: readonly DetectionChange[],
): Promise<void> {
  if (rows.length === 0) return;
  await transaction
    .insertInto('detectionTriage')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.column('detectionId').doUpdateSet(({ ref }) => ({
        version: ref('excluded.version'),
        status: ref('excluded.status'),
        verdict: ref('excluded.verdict'),
        assignee: ref('excluded.assignee'),
        note: ref('excluded.note'),
        changedAt: ref('excluded.changedAt'),
        landed: ref('excluded.landed'),
      })),
    )
    .execute();
  await transaction
    .insertInto('detectionChanges')
    .values(
      changes.map(({ before, after, ...change }) => ({
        ...change,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
      })),
    )
    .execute();
}

/** Returns the change that created the current version of each row. Rows that never changed have none. */
export async function currentChanges(db: Db, rows: readonly TriageRow[]): Promise<DetectionChange[]> {
  if (rows.length === 0) return [];
  return db
    .selectFrom('detectionChanges')
    .selectAll()
    .where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('detectionId', 'version'),
        'in',
        rows.map(({ detectionId, version }) => tuple(detectionId, version)),
      ),
    )
    .execute();
}

/** Lists changes of one detection, newest first; only those before a version if one is given. */
export function listChanges(
  db: Db,
  detectionId: string,
  { limit, before }: { readonly limit: number; readonly before?: number | undefined },
): Promise<DetectionChange[]> {
  return db
    .selectFrom('detectionChanges')
    .selectAll()
    .where('detectionId', '=', detectionId)
    .$if(before !== undefined, (query) => query.where('version', '<', before ?? 0))
    .orderBy('version', 'desc')
    .limit(limit)
    .execute();
}

/** Returns decisions that have not been copied to ClickHouse, oldest first. Optionally only those of the given detections. */
export function waitingDecisions(db: Db, limit: number, detectionIds?: readonly string[]): Promise<TriageRow[]> {
  return db
    .selectFrom('detectionTriage')
    .selectAll()
    .where('landed', '=', false)
    .$if(detectionIds !== undefined, (query) => query.where('detectionId', 'in', [...(detectionIds ?? [])]))
    .orderBy('changedAt')
    .limit(limit)
    .execute();
}

/** Marks these versions as copied to ClickHouse. A later version stays pending. */
export async function markLanded(db: Db, rows: readonly TriageRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    UPDATE detection_triage AS t SET landed = true
    FROM unnest(${rows.map(({ detectionId }) => detectionId)}::text[], ${rows.map(({ version }) => version)}::integer[]) AS l (id, version)
    WHERE t.detection_id = l.id AND t.version = l.version`.execute(db);
}

/** Returns the stored spelling of the name of an account that may work on detections. Undefined if there is no such account. */
export async function findAnalyst(db: Db, username: string): Promise<string | undefined> {
  const { rows } = await sql<{ username: string }>`
    SELECT username FROM users
    WHERE lower(username) = lower(${username}) AND role IN ('analyst', 'admin')
      AND NOT disabled AND (end_date IS NULL OR end_date > now())`.execute(db);
  return rows[0]?.username;
}
