import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What makes what happen: how many executions stand behind an event and behind an execution it begins, so that a circle of them ends; and an event for
 * each execution that failed, for whatever is to run then. The database tells of the failure in the transaction that writes it: no path to that
 * status can forget it, and it is told once.
 *
 * What a parent waits for is the parent's to catch. Both who owns the execution and who owns what was run are told, as both may see it.
 */
export const executionCauses: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE executions ADD COLUMN causation smallint NOT NULL DEFAULT 0`.execute(db);
    await sql`ALTER TABLE execution_events ADD COLUMN causation smallint NOT NULL DEFAULT 0`.execute(db);
    await sql`ALTER TABLE trigger_gathered ADD COLUMN causation smallint NOT NULL DEFAULT 0`.execute(db);
    // `json`, not `jsonb`, and nothing that reads it: an error may hold what only the former can keep.
    await sql`
      CREATE FUNCTION tell_failed_execution() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        unit_name text;
        unit_lane uuid;
        happened text := to_char(NEW.completed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
      BEGIN
        IF NEW.kind = 'workflow' THEN
          SELECT slug, owner_id INTO unit_name, unit_lane FROM workflows WHERE id = NEW.workflow_id;
        ELSE
          SELECT slug, owner_id INTO unit_name, unit_lane FROM agents WHERE id = NEW.agent_id;
        END IF;
        IF unit_name IS NULL THEN
          unit_lane := NEW.lane;
        END IF;
        INSERT INTO execution_events (source, event_id, type, lane, causation, event)
        SELECT 'trapline://executions', NEW.id, 'trapline.execution.failed', told.lane, NEW.causation, json_build_object(
          'specversion', '1.0', 'id', NEW.id, 'source', 'trapline://executions', 'type', 'trapline.execution.failed', 'subject', NEW.id,
          'time', happened, 'datacontenttype', 'application/json',
          'kind', NEW.kind, 'name', coalesce(unit_name, ''), 'status', NEW.status, 'trigger', NEW.trigger_type,
          'data', json_build_object(
            'executionId', NEW.id, 'kind', NEW.kind, 'id', coalesce(NEW.workflow_id, NEW.agent_id), 'name', unit_name,
            'versionId', NEW.version_id, 'status', NEW.status, 'triggerType', NEW.trigger_type, 'error', NEW.error,
            'startedAt', to_char(NEW.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'completedAt', happened
          )
        )
        FROM (
          SELECT NEW.lane UNION SELECT coalesce(unit_lane, '00000000-0000-0000-0000-000000000000'::uuid)
        ) AS told (lane)
        ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$`.execute(db);
    await sql`
      CREATE TRIGGER executions_failed AFTER UPDATE OF status ON executions
      FOR EACH ROW WHEN (
        NEW.status IN ('failed', 'rejected') AND OLD.status IS DISTINCT FROM NEW.status AND NOT NEW.awaited AND NEW.causation <= 16
      ) EXECUTE FUNCTION tell_failed_execution()`.execute(db);
  },
};
