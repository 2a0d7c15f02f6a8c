import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    detectors: DetectorsTable;
  }
}

/** The detector of a host, with its last report. */
export interface DetectorsTable {
  hostname: string;
  keyId: string;
  enrolledAt: Generated<Date>;
  version: string | null;
  source: string | null;
  lastSeenAt: Date | null;
  /** bigint: the driver returns text. */
  lagMs: number | string | null;
  lostRecords: number | string | null;
  /** Number of events that the server refused, and of events that did not fit into the spool of the host. */
  refusedEvents: number | string | null;
  droppedEvents: number | string | null;
  settings: Generated<Record<string, string>>;
}

export type Detector = Selectable<DetectorsTable> & {
  /** True if there was no report for `SILENT_MINUTES`, by the clock of the database. */
  readonly silent: boolean;
};

/** Detectors report every minute. The limit tolerates a restart of the host or of the server. */
export const SILENT_MINUTES = 5;

const SILENT = sql<boolean>`coalesce(last_seen_at, enrolled_at) < now() - make_interval(mins => ${SILENT_MINUTES})`;

/** Returns the key of an enrolled host, and locks it within a transaction. Undefined if the host is not enrolled. */
export async function findDetectorKey(db: Db, hostname: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('detectors')
    .select('keyId')
    .where('hostname', '=', hostname)
    .forUpdate()
    .executeTakeFirst();
  return found?.keyId;
}

/** Enrols the host, or replaces its key. Deletes the report of an earlier detector. */
export async function putDetector(
  db: Db,
  { hostname, keyId, version }: { readonly hostname: string; readonly keyId: string; readonly version: string | null },
): Promise<void> {
  const values = {
    keyId,
    version,
    source: null,
    lastSeenAt: null,
    lagMs: null,
    lostRecords: null,
    refusedEvents: null,
    droppedEvents: null,
  };
  await db
    .insertInto('detectors')
    .values({ hostname, ...values })
    .onConflict((conflict) =>
      conflict.column('hostname').doUpdateSet({ ...values, enrolledAt: sql<Date>`now()`, settings: sql`'{}'` }),
    )
    .execute();
}

export interface DetectorReport {
  readonly version: string;
  readonly source: string;
  readonly lagMs: number;
  readonly lostRecords: number;
  readonly refusedEvents: number | null;
  readonly droppedEvents: number | null;
  readonly settings: Readonly<Record<string, string>>;
}

/** Stores the report of the detector with this key. False if the key does not belong to a detector. */
export async function writeDetectorReport(db: Db, keyId: string, report: DetectorReport): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('detectors')
    .set({
      ...report,
      settings: sql<Record<string, string>>`${JSON.stringify(report.settings)}::jsonb`,
      lastSeenAt: sql<Date>`now()`,
    })
    .where('keyId', '=', keyId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes the host if it has this key. False otherwise. */
export async function deleteDetector(db: Db, hostname: string, keyId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('detectors')
    .where('hostname', '=', hostname)
    .where('keyId', '=', keyId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Lists all detectors, silent ones first. */
export function listDetectors(db: Db): Promise<Detector[]> {
  return db
    .selectFrom('detectors')
    .selectAll()
    .select(SILENT.as('silent'))
    .orderBy('silent', 'desc')
    .orderBy('hostname')
    .execute();
}

/** Returns the number of enrolled detectors, and of silent ones. */
export function countDetectors(db: Db): Promise<{ readonly enrolled: number; readonly silent: number }> {
  return db
    .selectFrom('detectors')
    .select(({ fn }) => [fn.countAll<number>().as('enrolled'), fn.countAll<number>().filterWhere(SILENT).as('silent')])
    .executeTakeFirstOrThrow();
}
