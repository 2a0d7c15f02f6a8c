import { type ColumnType, type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Detection } from '#schemas/detection.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    detectionTriage: DetectionTriageTable;
    detectionChanges: DetectionChangesTable;
  }
}

/** What analysts decide about a detection. */
export type Decision = Pick<Detection, 'status' | 'verdict' | 'assignee' | 'note'>;

/** The current decision. A detection without a row has none yet. */
export interface DetectionTriageTable {
  detectionId: string;
  /** Grows by one with every change; 0: never changed. */
  version: Generated<number>;
  status: Generated<Decision['status']>;
  verdict: Decision['verdict'];
  assignee: string | null;
  note: string | null;
  /** Never the same for two versions, and never earlier for a later one. */
  changedAt: Generated<Date>;
  /** Whether ClickHouse has it, where lists are read from. */
  landed: Generated<boolean>;
}
export type TriageRow = Selectable<DetectionTriageTable>;

/** Every change of a decision, for good. */
export interface DetectionChangesTable {
  detectionId: string;
  /** That the change made. */
  version: number;
  at: Date;
  /** See `actorOf`. */
  actor: string;
  /** Of the account behind it, as it was then. */
  username: string | null;
  /** Slug of the workflow or agent that made the change for that account; null: made by the caller directly. */
  automation: string | null;
  /** Id of its execution. */
  executionId: string | null;
  /** Fields that changed, with their values. */
  before: ColumnType<Partial<Decision>, string, never>;
  after: ColumnType<Partial<Decision>, string, never>;
}
export type DetectionChange = Selectable<DetectionChangesTable>;

export function findTriage(db: Db, detectionId: string): Promise<TriageRow | undefined> {
  return db.selectFrom('detectionTriage').selectAll().where('detectionId', '=', detectionId).executeTakeFirst();
}

/** The rows of all these detections, created where they are missing, locked until the end of the transaction; always in the same order. */
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

/** The time of a change: now, but later than the one before, whatever the clock does. */
export async function nextChangeTime(transaction: Db, rows: readonly TriageRow[]): Promise<Date> {
  const { rows: found } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(transaction);
  const now = found[0]?.now ?? new Date();
  return new Date(rows.reduce((at, { changedAt }) => Math.max(at, changedAt.getTime() + 1), now.getTime()));
}

/** Writes decisions of rows that are locked, with what changed. */
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

/** The change that made the current version of each of these rows; none for those that were never changed. */
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

/** Changes of one detection, the newest first; before a version, if one is given. */
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

/** Decisions that ClickHouse does not have yet, the oldest first; of these detections, or of any. */
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

/** Notes that ClickHouse has these versions; a later one goes on waiting. */
export async function markLanded(db: Db, rows: readonly TriageRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    UPDATE detection_triage AS t SET landed = true
    FROM unnest(${rows.map(({ detectionId }) => detectionId)}::text[], ${rows.map(({ version }) => version)}::integer[]) AS l (id, version)
    WHERE t.detection_id = l.id AND t.version = l.version`.execute(db);
}

/** The name of an account that can work on detections, as it is written there; undefined when it does not exist. */
export async function findAnalyst(db: Db, username: string): Promise<string | undefined> {
  const { rows } = await sql<{ username: string }>`
    SELECT username FROM users
    WHERE lower(username) = lower(${username}) AND role IN ('analyst', 'admin')
      AND NOT disabled AND (end_date IS NULL OR end_date > now())`.execute(db);
  return rows[0]?.username;
}
