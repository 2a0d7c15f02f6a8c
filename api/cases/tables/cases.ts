import { type Generated, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { type CreatedKey, createdBefore } from '#api/postgres/keyset.ts';
import type { CaseCondition, CaseFigure } from '#schemas/api/case-figures.ts';
import type { FigureSign } from '#schemas/api/figure-conditions.ts';
import type { CaseReason, CaseStatus } from '#schemas/case-terms.ts';
import type { Severity } from '#schemas/detection.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    cases: CasesTable;
    caseDetections: CaseDetectionsTable;
  }
}

/** Several detections that analysts work on together. */
export interface CasesTable {
  /** `case_` and 32 hexadecimal digits. */
  id: string;
  /** Number displayed to people. */
  number: Generated<number>;
  /** Increases with every change of the fields. Used as the ETag. */
  version: Generated<number>;
  title: string;
  description: string | null;
  severity: Severity;
  status: Generated<CaseStatus>;
  reason: CaseReason | null;
  assignee: string | null;
  /** The campaign detection for which the case was opened. There is one case per campaign. */
  campaignId: string | null;
  /** Number of the newest row in `case_events`. */
  lastSeq: Generated<number>;
  createdAt: Generated<Date>;
  createdBy: string;
  changedAt: Generated<Date>;
  acknowledgedAt: Date | null;
  closedAt: Date | null;
}
export type CaseRow = Selectable<CasesTable>;

export interface CaseDetectionsTable {
  caseId: string;
  detectionId: string;
  addedAt: Date;
}

/** A case with the counts that lists show. */
export type CountedCase = CaseRow & {
  readonly detections: number;
  readonly tasks: number;
  readonly tasksDone: number;
};

export interface CaseFilters {
  readonly status?: readonly CaseStatus[] | undefined;
  readonly severity?: readonly Severity[] | undefined;
  readonly assignee?: readonly string[] | undefined;
  /** Excludes cases with these values. Cases without a value are not excluded. */
  readonly 'exclude.status'?: readonly CaseStatus[] | undefined;
  readonly 'exclude.severity'?: readonly Severity[] | undefined;
  readonly 'exclude.assignee'?: readonly string[] | undefined;
  /** Cases with this detection. */
  readonly detection?: string | undefined;
  /** Part of the title, or the case number. */
  readonly q?: string | undefined;
  /** Opened at this time or later. */
  readonly from?: Date | undefined;
  /** Opened before this time. */
  readonly to?: Date | undefined;
  /** Conditions that must all be true. */
  readonly figures?: readonly CaseCondition[] | undefined;
}

const FIGURES: Readonly<Record<CaseFigure, RawBuilder<number>>> = {
  detections: sql<number>`(SELECT count(*) FROM case_detections AS d WHERE d.case_id = cases.id)`,
  tasks: sql<number>`(SELECT count(*) FROM case_tasks AS t WHERE t.case_id = cases.id)`,
  openTasks: sql<number>`(SELECT count(*) FROM case_tasks AS t WHERE t.case_id = cases.id AND NOT t.done)`,
  doneTasks: sql<number>`(SELECT count(*) FROM case_tasks AS t WHERE t.case_id = cases.id AND t.done)`,
};
const SIGNS: Readonly<Record<FigureSign, RawBuilder<unknown>>> = {
  '>=': sql`>=`,
  '<=': sql`<=`,
  '!=': sql`<>`,
  '=': sql`=`,
};

const counted = (db: Db) =>
  db
    .selectFrom('cases')
    .selectAll('cases')
    .select([FIGURES.detections.as('detections'), FIGURES.tasks.as('tasks'), FIGURES.doneTasks.as('tasksDone')]);

export function findCase(db: Db, id: string): Promise<CountedCase | undefined> {
  return counted(db).where('cases.id', '=', id).executeTakeFirst();
}

const lowerCase = (names: readonly string[] = []): string[] => names.map((name) => name.toLowerCase());

/** Lists cases, newest first, after the cursor position if given. */
export function listCases(
  db: Db,
  { status, severity, assignee, detection, q, from, to, figures = [], ...excluded }: CaseFilters,
  { limit, after }: { readonly limit: number; readonly after?: CreatedKey | undefined },
): Promise<CountedCase[]> {
  return counted(db)
    .$if(status !== undefined, (query) => query.where('status', 'in', [...(status ?? [])]))
    .$if(severity !== undefined, (query) => query.where('severity', 'in', [...(severity ?? [])]))
    .$if(assignee !== undefined, (query) => query.where(sql<boolean>`lower(assignee) = ANY(${lowerCase(assignee)})`))
    .where(sql<boolean>`status <> ALL(${[...(excluded['exclude.status'] ?? [])]}::text[])`)
    .where(sql<boolean>`severity <> ALL(${[...(excluded['exclude.severity'] ?? [])]}::text[])`)
    .where(sql<boolean>`lower(coalesce(assignee, '')) <> ALL(${lowerCase(excluded['exclude.assignee'])}::text[])`)
    .$if(detection !== undefined, (query) =>
      query.where(
        sql<boolean>`EXISTS (SELECT FROM case_detections AS d WHERE d.case_id = cases.id AND d.detection_id = ${detection ?? ''})`,
      ),
    )
    .$if(q !== undefined, (query) =>
      query.where(sql<boolean>`(strpos(lower(title), lower(${q ?? ''})) > 0 OR number::text = ltrim(${q ?? ''}, '#'))`),
    )
    .$if(from !== undefined, (query) => query.where('createdAt', '>=', from ?? new Date(0)))
    .$if(to !== undefined, (query) => query.where('createdAt', '<', to ?? new Date(0)))
    .where((conditions) =>
      conditions.and(
        figures.map(({ figure, sign, value }) => sql<boolean>`${FIGURES[figure]} ${SIGNS[sign]} ${value}`),
      ),
    )
    .where((conditions) => (after === undefined ? conditions.lit(true) : createdBefore(after)))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns a case, locked until the end of the transaction. */
export function lockCase(transaction: Db, id: string): Promise<CaseRow | undefined> {
  return transaction.selectFrom('cases').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Adds a case. Undefined if the campaign has one. */
export function insertCase(
  transaction: Db,
  row: Pick<CaseRow, 'id' | 'title' | 'description' | 'severity' | 'assignee' | 'campaignId' | 'createdBy'> & {
    readonly acknowledgedAt: Date | null;
    readonly createdAt: Date;
  },
): Promise<CaseRow | undefined> {
  return transaction
    .insertInto('cases')
    .values({ ...row, changedAt: row.createdAt })
    .onConflict((conflict) => conflict.column('campaignId').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Writes a locked case. */
export async function saveCase(transaction: Db, { id, number: _, ...row }: CaseRow): Promise<void> {
  await transaction.updateTable('cases').set(row).where('id', '=', id).execute();
}

/** Adds detections that the case does not contain yet. Resolves to the added ones. */
export async function insertCaseDetections(
  transaction: Db,
  caseId: string,
  detectionIds: readonly string[],
  addedAt: Date,
): Promise<string[]> {
  if (detectionIds.length === 0) return [];
  const rows = await transaction
    .insertInto('caseDetections')
    .values(detectionIds.map((detectionId) => ({ caseId, detectionId, addedAt })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('detectionId')
    .execute();
  return rows.map(({ detectionId }) => detectionId);
}

export async function deleteCaseDetection(transaction: Db, caseId: string, detectionId: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('caseDetections')
    .where('caseId', '=', caseId)
    .where('detectionId', '=', detectionId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Returns the detections of a case in the order in which they were added. */
export async function detectionsOfCase(db: Db, caseId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('caseDetections')
    .select('detectionId')
    .where('caseId', '=', caseId)
    .orderBy('addedAt')
    .orderBy('detectionId')
    .execute();
  return rows.map(({ detectionId }) => detectionId);
}

/** Seconds at the 50th and 95th percentile, and the number of cases. */
export interface Spread {
  readonly count: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

/** Returns figures of the cases opened from `from` (inclusive) to `to` (exclusive). */
export async function caseFigures(
  db: Db,
  from: Date,
  to: Date,
): Promise<{ opened: number; stillOpen: number; timeToAcknowledge: Spread; timeToClose: Spread }> {
  const { rows } = await sql<
    Record<'opened' | 'stillOpen' | 'acknowledged' | 'closed', number> &
      Record<'ack50' | 'ack95' | 'close50' | 'close95', number | null>
  >`
    SELECT count(*) AS opened, count(*) FILTER (WHERE status <> 'closed') AS still_open,
      count(acknowledged_at) AS acknowledged, count(closed_at) AS closed,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM acknowledged_at - created_at)::float8) AS ack50,
      percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM acknowledged_at - created_at)::float8) AS ack95,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM closed_at - created_at)::float8) AS close50,
      percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM closed_at - created_at)::float8) AS close95
    FROM cases WHERE created_at >= ${from} AND created_at < ${to}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate has one row');
  const { opened, stillOpen, acknowledged, closed, ack50, ack95, close50, close95 } = row;
  return {
    opened,
    stillOpen,
    timeToAcknowledge: { count: acknowledged, p50: ack50, p95: ack95 },
    timeToClose: { count: closed, p50: close50, p95: close95 },
  };
}

/** Returns those of these campaigns that have a case. */
export async function campaignsWithCase(db: Db, campaignIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (campaignIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('cases')
    .select('campaignId')
    .where('campaignId', 'in', [...campaignIds])
    .execute();
  return new Set(rows.flatMap(({ campaignId }) => campaignId ?? []));
}
