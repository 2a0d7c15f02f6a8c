import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

/**
 * Lifecycle events of workflows that were cancelled, or failed with their workers: what `engine/lifecycle.ts` sends for those whose
 * interpreter saw the end. Definitions that do not ask for them, and dry runs, have none.
 */
export async function insertEndEvents(db: Db, ids: readonly string[]): Promise<void> {
  await sql`
    WITH ended AS (
      SELECT x.id, x.lane, x.causation, x.error, v.definition #>> '{document,name}' AS name, v.definition #>> '{document,namespace}' AS namespace,
        CASE x.status WHEN 'cancelled' THEN 'cancelled' ELSE 'faulted' END AS change,
        to_char(x.completed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
      FROM executions AS x JOIN workflow_versions AS v ON v.id = x.version_id
      WHERE x.id = ANY (${ids}::text[]) AND x.status IN ('cancelled', 'failed') AND x.trigger_type <> 'dry-run'
        AND v.definition #>> '{document,metadata,lifecycleEvents}' IN ('true', 'workflow')
    ),
    named AS (
      SELECT *, '/api/v1/workflows/executions/' || id AS source, 'io.serverlessworkflow.workflow.' || change || '.v1' AS type,
        name || '-' || id || '.' || namespace AS subject
      FROM ended
    )
    INSERT INTO execution_events (source, event_id, type, lane, causation, event)
    SELECT source, event_id, type, lane, causation, json_strip_nulls(json_build_object(
      'specversion', '1.0', 'id', event_id, 'source', source, 'type', type, 'subject', subject, 'time', at, 'datacontenttype', 'application/json',
      'data', json_build_object('name', subject, change || 'At', at, 'error', error)
    ))
    FROM (SELECT *, left(encode(sha256(convert_to(id || E'\\n' || type || E'\\n', 'UTF8')), 'hex'), 32) AS event_id FROM named) AS identified
    ON CONFLICT DO NOTHING`.execute(db);
}
