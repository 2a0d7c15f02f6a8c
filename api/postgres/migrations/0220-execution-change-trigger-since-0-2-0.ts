import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Workers change many executions in one statement. One trigger per statement checks the changes of status, and records them in the trace, the counts and
 * the usage of the owners; three triggers per row did the same work with a function call and several statements for each execution.
 */
export const executionChangeTrigger: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [RECORD, TRIGGER, ...REPLACED]) await sql.raw(statement).execute(db);
  },
};

/** Nested loops are off: the plan is kept, and one that was made for a statement of one row would be used for a hundred. */
const RECORD = `
  CREATE FUNCTION record_execution_changes() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
  DECLARE
    changes bigint;
    refused text;
  BEGIN
    SELECT count(*), min(format('%s to %s', went.status, came.status)) FILTER (WHERE allowed.from_status IS NULL) INTO changes, refused
    FROM went JOIN came USING (id)
    LEFT JOIN execution_transitions AS allowed ON allowed.from_status = went.status AND allowed.to_status = came.status
    WHERE went.status <> came.status;
    IF refused IS NOT NULL THEN
      RAISE EXCEPTION 'an execution can not go from %', refused USING ERRCODE = 'check_violation', CONSTRAINT = 'execution_transitions';
    END IF;
    IF changes = 0 THEN RETURN NULL; END IF;
    WITH moved AS MATERIALIZED (
      SELECT id, came.kind, came.workflow_id, came.agent_id, came.owner_id, came.example_id, came.created_at, came.completed_at, came.written_bytes,
        came.worker, came.status, went.status AS from_status, went.completed_at IS NULL AND came.completed_at IS NOT NULL AS ended
      FROM went JOIN came USING (id) WHERE went.status <> came.status
    ), counted AS (
      INSERT INTO execution_count_changes (kind, unit_id, owner_id, example_id, created_at, completed_at, from_status, to_status)
      SELECT kind, coalesce(workflow_id, agent_id), owner_id, example_id, created_at, completed_at, from_status, status FROM moved
    ), used AS (
      INSERT INTO usage_notes (user_id, resource, amount)
      SELECT owner_id, resource, sum(amount) FROM moved
      CROSS JOIN LATERAL (VALUES ('executions', -1::bigint), ('execution_bytes', written_bytes)) AS change (resource, amount)
      WHERE ended AND owner_id IS NOT NULL GROUP BY owner_id, resource HAVING sum(amount) <> 0
    )
    INSERT INTO execution_changes (execution_id, seq, from_status, to_status, worker)
    SELECT id, nextval('execution_trace_seq'), from_status, status, worker FROM moved;
    RETURN NULL;
  END $$`;

const TRIGGER = `
  CREATE TRIGGER executions_changed AFTER UPDATE ON executions REFERENCING OLD TABLE AS went NEW TABLE AS came
  FOR EACH STATEMENT EXECUTE FUNCTION record_execution_changes()`;

const REPLACED = [
  'DROP TRIGGER executions_transition ON executions',
  'DROP TRIGGER executions_counted_anew ON executions',
  'DROP TRIGGER executions_ended ON executions',
  'DROP FUNCTION execution_ended()',
];
