import { type ColumnType, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    detectionCauses: DetectionCausesTable;
  }
}

/** Detections that were sent to workflows. */
export interface DetectionCausesTable {
  detectionId: string;
  /** The revision that was sent as opened. */
  openedRevision: number;
  toldRevision: number;
  toldAt: ColumnType<Date, Date | undefined, Date>;
}

export type DetectionCause = 'opened' | 'grown';

/** Records that a revision is sent. Returns undefined if this or a later revision was already sent. */
export async function noteDetection(
  db: Db,
  detectionId: string,
  revision: number,
): Promise<DetectionCause | undefined> {
  const { rows } = await sql<{ opened: boolean }>`
    INSERT INTO detection_causes AS c (detection_id, opened_revision, told_revision) VALUES (${detectionId}, ${revision}, ${revision})
    ON CONFLICT (detection_id) DO UPDATE SET told_revision = excluded.told_revision, told_at = now()
      WHERE c.told_revision < excluded.told_revision
    RETURNING opened_revision = ${revision} AS opened`.execute(db);
  const [row] = rows;
  return row === undefined ? undefined : row.opened ? 'opened' : 'grown';
}

/**
 * Returns the recipients of detections as lanes: the operator, and all users who may currently read detections
 * (analysts, administrators).
 */
export async function lanesOfReaders(db: Db, operatorLane: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM users
    WHERE role IN ('analyst', 'admin') AND NOT disabled AND (end_date IS NULL OR end_date > now()) ORDER BY id`.execute(
    db,
  );
  return [operatorLane, ...rows.map(({ id }) => id)];
}
