import { type Generated, type Selectable, sql } from 'kysely';
import type { SecretComparison } from '#api/accounts/secrets/shared-secrets.ts';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    processes: ProcessesTable;
  }
}

/** A running process, with what it reported last. */
export interface ProcessesTable {
  /** Of one start. */
  id: string;
  /** `start`, `api`, `ingest` or `worker`. */
  role: string;
  /** TRAPLINE_SEAT, else host name and process id. */
  name: string;
  version: string;
  startedAt: Generated<Date>;
  /** By the clock of the database. */
  reportedAt: Generated<Date>;
  /** Clock of the process minus that of the database. */
  clockSkewMs: number;
  /** How each of its secrets compares with the recorded fingerprint, by the name of the setting. */
  secrets: Generated<Record<string, SecretComparison>>;
  /** Of the disk of its data directory; null without one. */
  freeDiskShare: number | null;
}

export type ProcessReport = Pick<
  Selectable<ProcessesTable>,
  'id' | 'role' | 'name' | 'version' | 'clockSkewMs' | 'secrets' | 'freeDiskShare'
>;
export type ReportedProcess = Omit<ProcessReport, 'id'> & {
  /** Since the last report, by the clock of the database. */
  readonly silentSeconds: number;
};

/** A row that no process has renewed for so long is of one that was killed long ago. */
const FORGOTTEN_AFTER = sql`interval '1 day'`;

/** Writes what a process reports, and deletes what processes that were killed have left. */
export async function putProcessReport(db: Db, report: ProcessReport): Promise<void> {
  const { id, ...rest } = report;
  const values = { ...rest, secrets: sql<Record<string, SecretComparison>>`${JSON.stringify(rest.secrets)}::jsonb` };
  await db
    .insertInto('processes')
    .values({ id, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...values, reportedAt: sql<Date>`now()` }))
    .execute();
  await db.deleteFrom('processes').where('reportedAt', '<', sql<Date>`now() - ${FORGOTTEN_AFTER}`).execute();
}

export async function deleteProcessReport(db: Db, id: string): Promise<void> {
  await db.deleteFrom('processes').where('id', '=', id).execute();
}

/** Deletes the reports of all processes; those that run report again. */
export async function forgetProcessReports(db: Db): Promise<void> {
  await db.deleteFrom('processes').execute();
}

/** All processes that have not ended properly, in the order of role and name. */
export function listProcessReports(db: Db): Promise<ReportedProcess[]> {
  return db
    .selectFrom('processes')
    .select(['role', 'name', 'version', 'clockSkewMs', 'secrets', 'freeDiskShare'])
    .select(sql<number>`extract(epoch FROM now() - reported_at)::float8`.as('silentSeconds'))
    .orderBy('role')
    .orderBy('name')
    .execute();
}

/** Milliseconds that the clock of this process is before that of the database. */
export async function clockSkewMs(db: Db): Promise<number> {
  const before = Date.now();
  const { rows } = await sql<{ ms: number }>`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`.execute(
    db,
  );
  return Math.round((before + Date.now()) / 2 - Number(rows[0]?.ms));
}
