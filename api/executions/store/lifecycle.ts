import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

/**
 * Inserts lifecycle events for workflows that were cancelled or failed with their workers. For all others,
 * `engine/lifecycle.ts` sends them. Definitions without lifecycle events, and dry runs, are skipped.
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

/**
 * Inserts lifecycle events for suspended or resumed workflows and their tasks in progress. Call it in the transaction
 * of the change: before a resumption clears the columns, or after a suspension has set them.
 */
export async function insertSuspensionEvents(
  db: Db,
  ids: readonly string[],
  change: 'suspended' | 'resumed',
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    WITH changed AS (
      SELECT x.id, x.lane, x.causation, v.definition #>> '{document,metadata,lifecycleEvents}' AS asked,
        (v.definition #>> '{document,name}') || '-' || x.id || '.' || (v.definition #>> '{document,namespace}') AS name,
        to_char((CASE WHEN ${change}::text = 'suspended' THEN x.suspended_at ELSE now() END) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
      FROM executions AS x JOIN workflow_versions AS v ON v.id = x.version_id
      WHERE x.id = ANY (${ids}::text[]) AND x.trigger_type <> 'dry-run'
        AND v.definition #>> '{document,metadata,lifecycleEvents}' IN ('true', 'workflow')
    ),
    reported AS (
      SELECT id, lane, causation, name, at, 'io.serverlessworkflow.workflow.' || ${change} || '.v1' AS type, at AS about,
        json_build_object('name', name, ${change} || 'At', at) AS data
      FROM changed
      UNION ALL
      SELECT c.id, c.lane, c.causation, c.name, c.at, 'io.serverlessworkflow.task.' || ${change} || '.v1', s.attempt || E'\\n' || s.step || E'\\n' || c.at,
        json_build_object('workflow', c.name, 'task', s.step, ${change} || 'At', c.at)
      FROM changed AS c JOIN execution_steps AS s ON s.execution_id = c.id
      WHERE c.asked = 'true' AND s.status IN ('running', 'waiting')
    )
    INSERT INTO execution_events (source, event_id, type, lane, causation, event)
    SELECT '/api/v1/workflows/executions/' || id, event_id, type, lane, causation, json_build_object(
      'specversion', '1.0', 'id', event_id, 'source', '/api/v1/workflows/executions/' || id, 'type', type, 'subject', name, 'time', at,
      'datacontenttype', 'application/json', 'data', data
    )
    FROM (
      SELECT *, left(encode(sha256(convert_to(id || E'\\n' || type || E'\\n' || about, 'UTF8')), 'hex'), 32) AS event_id FROM reported
    ) AS identified
    ON CONFLICT DO NOTHING`.execute(db);
}
