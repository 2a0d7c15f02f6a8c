import { type Generated, type Selectable, sql } from 'kysely';
import type { SecretComparison } from '#api/accounts/secrets/shared-secrets.ts';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    processes: ProcessesTable;
  }
}

/** A running process with its last report. */
export interface ProcessesTable {
  /** Identifies one start of the process. */
  id: string;
  /** `start`, `api`, `ingest` or `worker`. */
  role: string;
  /** TRAPLINE_SEAT, otherwise host name and process id. */
  name: string;
  version: string;
  startedAt: Generated<Date>;
  /** By the clock of the database. */
  reportedAt: Generated<Date>;
  /** Clock of the process minus that of the database. */
  clockSkewMs: number;
  /** Result of comparing each of its secrets with the recorded fingerprint, by setting name. */
  secrets: Generated<Record<string, SecretComparison>>;
  /** Free share of the disk with its data directory. Null without one. */
  freeDiskShare: number | null;
}

export type ProcessReport = Pick<
  Selectable<ProcessesTable>,
  'id' | 'role' | 'name' | 'version' | 'clockSkewMs' | 'secrets' | 'freeDiskShare'
>;
export type ReportedProcess = Omit<ProcessReport, 'id'> & {
  /** Seconds since the last report, by the clock of the database. */
  readonly silentSeconds: number;
};

/** Age after which a report belongs to a process that was killed. */
const FORGOTTEN_AFTER = sql`interval '1 day'`;

/** Writes the report of a process, and deletes outdated reports of killed processes. */
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

/** Deletes the reports of all processes. Running processes report again. */
export async function forgetProcessReports(db: Db): Promise<void> {
  await db.deleteFrom('processes').execute();
}

/** Lists all processes that have not stopped cleanly, by role and name. */
export function listProcessReports(db: Db): Promise<ReportedProcess[]> {
  return db
    .selectFrom('processes')
    .select(['role', 'name', 'version', 'clockSkewMs', 'secrets', 'freeDiskShare'])
    .select(sql<number>`extract(epoch FROM now() - reported_at)::float8`.as('silentSeconds'))
    .orderBy('role')
    .orderBy('name')
    .execute();
}

/** Returns the milliseconds by which the clock of this process is ahead of the database. */
export async function clockSkewMs(db: Db): Promise<number> {
  const before = Date.now();
  const { rows } = await sql<{ ms: number }>`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`.execute(
    db,
  );
  return Math.round((before + Date.now()) / 2 - Number(rows[0]?.ms));
}
