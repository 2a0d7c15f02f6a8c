import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import type { EventFilter } from '../engine/port.ts';
import type { JsonValue } from '../json-value.ts';
import { OPERATOR_LANE } from './queue-position.ts';

/** An execution that waits for an event, with what a person needs to answer. */
export interface ListedWait {
  readonly executionId: string;
  readonly wait: string;
  readonly step: string;
  readonly mode: 'all' | 'any' | 'one';
  readonly filters: readonly EventFilter[];
  readonly createdAt: Date;
  readonly workflowId: string;
  readonly slug: string;
  readonly title: string | null;
  readonly summary: string | null;
  /** null also when it is too large for a list. */
  readonly input: JsonValue;
}

/** The last one of the page before. */
export type WaitPlace = Pick<ListedWait, 'executionId' | 'wait'>;

/** As the column is stored, compressed. */
const LISTED_BYTES = 16 * 1024;

/** The waits that events of the viewer reach: those of the viewer's own executions, all for administrators. The newest executions first. */
export async function listWaits(
  db: Db,
  viewer: Viewer,
  { limit, after }: { readonly limit: number; readonly after: WaitPlace | undefined },
): Promise<ListedWait[]> {
  const lane = viewer.administrator ? sql`` : sql`AND w.lane = ${viewer.userId ?? OPERATOR_LANE}::uuid`;
  const from =
    after === undefined
      ? sql``
      : sql`AND (w.execution_id < ${after.executionId} OR (w.execution_id = ${after.executionId} AND w.wait > ${after.wait}))`;
  const { rows } = await sql<ListedWait>`
    SELECT w.execution_id, w.wait, w.step, w.mode, w.filters, w.created_at, workflows.id AS workflow_id, workflows.slug,
      versions.definition->'document'->>'title' AS title, versions.definition->'document'->>'summary' AS summary,
      CASE WHEN pg_column_size(e.trigger_input) <= ${LISTED_BYTES} THEN e.trigger_input END AS input
    FROM execution_waits AS w
    JOIN executions AS e ON e.id = w.execution_id
    JOIN workflows ON workflows.id = e.workflow_id
    JOIN workflow_versions AS versions ON versions.id = e.version_id
    WHERE e.completed_at IS NULL ${lane} ${from}
    ORDER BY w.execution_id DESC, w.wait LIMIT ${limit}`.execute(db);
  return rows;
}
