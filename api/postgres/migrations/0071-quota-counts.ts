import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Triggers that charge quotas for what is inserted and release what is deleted; see `userQuotas`. */
export const quotaCounts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...COLUMNS, ...FUNCTIONS, ...TRIGGERS, FILL]) await sql.raw(statement).execute(db);
  },
};

const FUNCTIONS = [
  // A released version never goes.
  `CREATE FUNCTION count_workflow_version() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    owner uuid := (SELECT owner_id FROM workflows WHERE id = NEW.workflow_id);
  BEGIN
    PERFORM charge_quota(owner, 'versions', 1);
    PERFORM charge_quota(owner, 'storage_bytes', octet_length(NEW.yaml_content) + pg_column_size(NEW.definition));
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION count_agent_version() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM charge_quota((SELECT owner_id FROM agents WHERE id = NEW.agent_id), 'versions', 1);
    RETURN NULL;
  END $$`,
  // Files of workspaces and of examples, and the examples themselves.
  `CREATE FUNCTION agent_storage_charged() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    charge record;
  BEGIN
    IF TG_TABLE_NAME = 'agent_files' THEN
      FOR charge IN SELECT a.owner_id, sum(f.size)::bigint AS bytes FROM came AS f JOIN agents AS a ON a.id = f.agent_id
        GROUP BY a.owner_id ORDER BY a.owner_id LOOP
        PERFORM charge_quota(charge.owner_id, 'storage_bytes', charge.bytes);
      END LOOP;
    ELSE
      FOR charge IN SELECT a.owner_id, sum(f.size)::bigint AS bytes FROM came AS f
        JOIN agent_examples AS e ON e.id = f.example_id JOIN agents AS a ON a.id = e.agent_id
        GROUP BY a.owner_id ORDER BY a.owner_id LOOP
        PERFORM charge_quota(charge.owner_id, 'storage_bytes', charge.bytes);
      END LOOP;
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION agent_storage_released() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_TABLE_NAME = 'agent_files' THEN
      PERFORM note_usage(a.owner_id, 'storage_bytes', -sum(f.size)::bigint) FROM went AS f JOIN agents AS a ON a.id = f.agent_id
        GROUP BY a.owner_id;
    ELSE
      -- Files that go with their example are released by it.
      PERFORM note_usage(a.owner_id, 'storage_bytes', -sum(f.size)::bigint) FROM went AS f
        JOIN agent_examples AS e ON e.id = f.example_id JOIN agents AS a ON a.id = e.agent_id GROUP BY a.owner_id;
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION example_bytes(input json, expected json) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT 256 + octet_length(input::text) + coalesce(octet_length(expected::text), 0)
  $$`,
  `CREATE FUNCTION count_example() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    owner uuid := (SELECT owner_id FROM agents WHERE id = coalesce(NEW.agent_id, OLD.agent_id));
    before bigint := 0;
    after bigint := 0;
  BEGIN
    IF TG_OP <> 'INSERT' THEN before := example_bytes(OLD.input, OLD.expected); END IF;
    IF TG_OP = 'DELETE' THEN
      before := before + (SELECT coalesce(sum(size), 0)::bigint FROM agent_example_files WHERE example_id = OLD.id);
    ELSE
      after := example_bytes(NEW.input, NEW.expected);
    END IF;
    IF after > before THEN
      PERFORM charge_quota(owner, 'storage_bytes', after - before);
    ELSE
      PERFORM note_usage(owner, 'storage_bytes', after - before);
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  END $$`,
  // What a caller gives is refused beyond the quota. What a run has made is counted: it is done, and the next run is refused.
  `CREATE FUNCTION execution_files_charged() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    charge record;
  BEGIN
    FOR charge IN SELECT e.owner_id, f.kind IN ('input', 'expected') AS given, sum(f.size)::bigint AS bytes
      FROM came AS f JOIN executions AS e ON e.id = f.execution_id GROUP BY 1, 2 ORDER BY 1, 2 LOOP
      IF charge.given THEN
        PERFORM charge_quota(charge.owner_id, 'storage_bytes', charge.bytes);
      ELSE
        PERFORM note_usage(charge.owner_id, 'storage_bytes', charge.bytes);
      END IF;
    END LOOP;
    RETURN NULL;
  END $$`,
  // Files that go with their execution are released by it.
  `CREATE FUNCTION execution_files_released() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM note_usage(e.owner_id, 'storage_bytes', -sum(f.size)::bigint) FROM went AS f
      JOIN executions AS e ON e.id = f.execution_id GROUP BY e.owner_id;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION execution_files_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM note_usage(e.owner_id, 'storage_bytes', (sum(f.size) - sum(g.size))::bigint) FROM came AS f
      JOIN went AS g USING (execution_id, kind, path) JOIN executions AS e ON e.id = f.execution_id GROUP BY e.owner_id;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION execution_charged() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM charge_quota(NEW.owner_id, 'execution_bytes', NEW.accepted_bytes);
    PERFORM charge_quota(NEW.owner_id, 'executions', 1);
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION execution_lines_counted() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.written_bytes := NEW.written_bytes +
      (SELECT coalesce(sum(64 + octet_length(text)), 0) FROM execution_lines WHERE execution_id = NEW.id);
    RETURN NEW;
  END $$`,
  `CREATE FUNCTION execution_ended() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM note_usage(NEW.owner_id, 'executions', -1);
    PERFORM note_usage(NEW.owner_id, 'execution_bytes', NEW.written_bytes);
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION execution_released() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM note_usage(OLD.owner_id, 'execution_bytes', -OLD.accepted_bytes);
    IF OLD.completed_at IS NULL THEN
      PERFORM note_usage(OLD.owner_id, 'executions', -1);
    ELSE
      PERFORM note_usage(OLD.owner_id, 'execution_bytes', -OLD.written_bytes);
    END IF;
    PERFORM note_usage(OLD.owner_id, 'storage_bytes', -(SELECT sum(size)::bigint FROM execution_files WHERE execution_id = OLD.id));
    RETURN OLD;
  END $$`,
  // Events of runs are written with those of other owners in one statement, which must not fail for one of them: the row says who is refused.
  `CREATE FUNCTION event_charged() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.enforced THEN
      PERFORM charge_quota(NEW.lane, 'events', 1);
    ELSE
      PERFORM note_usage(NEW.lane, 'events', 1);
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION events_released() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM note_usage(lane, 'events', -count(*)) FROM went
      WHERE lane <> '00000000-0000-0000-0000-000000000000' GROUP BY lane;
    RETURN NULL;
  END $$`,
];

const COLUMNS = [
  // Bytes of what came with it, and of what its run has written since.
  'ALTER TABLE executions ADD accepted_bytes bigint NOT NULL DEFAULT 0, ADD written_bytes bigint NOT NULL DEFAULT 0',
  'ALTER TABLE execution_events ADD enforced boolean NOT NULL DEFAULT false',
];

/** Each row of the table counts one; a column of it names the owner. */
const owned = (table: string, resource: string, column: string) => [
  `CREATE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      PERFORM charge_quota(NEW.${column}, '${resource}', 1);
    ELSE
      PERFORM note_usage(OLD.${column}, '${resource}', -1);
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER ${table}_quota AFTER INSERT OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION count_${table}()`,
];

const ENDED = 'WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL)';

const TRIGGERS = [
  ...owned('agents', 'agents', 'owner_id'),
  ...owned('workflows', 'workflows', 'owner_id'),
  ...owned('api_keys', 'api_keys', 'user_id'),
  'CREATE TRIGGER workflow_versions_quota AFTER INSERT ON workflow_versions FOR EACH ROW EXECUTE FUNCTION count_workflow_version()',
  'CREATE TRIGGER agent_versions_quota AFTER INSERT ON agent_versions FOR EACH ROW EXECUTE FUNCTION count_agent_version()',
  ...['agent_files', 'agent_example_files'].flatMap((table) => [
    `CREATE TRIGGER ${table}_charged AFTER INSERT ON ${table} REFERENCING NEW TABLE AS came
      FOR EACH STATEMENT EXECUTE FUNCTION agent_storage_charged()`,
    `CREATE TRIGGER ${table}_released AFTER DELETE ON ${table} REFERENCING OLD TABLE AS went
      FOR EACH STATEMENT EXECUTE FUNCTION agent_storage_released()`,
  ]),
  `CREATE TRIGGER agent_examples_charged AFTER INSERT OR UPDATE OF input, expected ON agent_examples
    FOR EACH ROW EXECUTE FUNCTION count_example()`,
  'CREATE TRIGGER agent_examples_released BEFORE DELETE ON agent_examples FOR EACH ROW EXECUTE FUNCTION count_example()',
  `CREATE TRIGGER execution_files_charged AFTER INSERT ON execution_files REFERENCING NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION execution_files_charged()`,
  `CREATE TRIGGER execution_files_changed AFTER UPDATE ON execution_files REFERENCING OLD TABLE AS went NEW TABLE AS came
    FOR EACH STATEMENT EXECUTE FUNCTION execution_files_changed()`,
  `CREATE TRIGGER execution_files_released AFTER DELETE ON execution_files REFERENCING OLD TABLE AS went
    FOR EACH STATEMENT EXECUTE FUNCTION execution_files_released()`,
  `CREATE TRIGGER executions_charged AFTER INSERT ON executions
    FOR EACH ROW WHEN (NEW.owner_id IS NOT NULL) EXECUTE FUNCTION execution_charged()`,
  `CREATE TRIGGER executions_lines_counted BEFORE UPDATE OF status ON executions
    FOR EACH ROW ${ENDED} EXECUTE FUNCTION execution_lines_counted()`,
  `CREATE TRIGGER executions_ended AFTER UPDATE OF status ON executions
    FOR EACH ROW ${ENDED} EXECUTE FUNCTION execution_ended()`,
  `CREATE TRIGGER executions_released BEFORE DELETE ON executions
    FOR EACH ROW WHEN (OLD.owner_id IS NOT NULL) EXECUTE FUNCTION execution_released()`,
  `CREATE TRIGGER execution_events_charged AFTER INSERT ON execution_events
    FOR EACH ROW WHEN (NEW.lane <> '00000000-0000-0000-0000-000000000000') EXECUTE FUNCTION event_charged()`,
  `CREATE TRIGGER execution_events_released AFTER DELETE ON execution_events REFERENCING OLD TABLE AS went
    FOR EACH STATEMENT EXECUTE FUNCTION events_released()`,
];

/** What is there already. Bytes of executions count from now on; those of older ones are zero in their columns, too. */
const FILL = `
  INSERT INTO usage_notes (user_id, resource, amount)
  SELECT owner_id, 'agents', count(*) FROM agents WHERE owner_id IS NOT NULL GROUP BY 1
  UNION ALL SELECT owner_id, 'workflows', count(*) FROM workflows WHERE owner_id IS NOT NULL GROUP BY 1
  UNION ALL SELECT user_id, 'api_keys', count(*) FROM api_keys GROUP BY 1
  UNION ALL SELECT w.owner_id, 'versions', count(*) FROM workflow_versions AS v JOIN workflows AS w ON w.id = v.workflow_id
    WHERE w.owner_id IS NOT NULL GROUP BY 1
  UNION ALL SELECT a.owner_id, 'versions', count(*) FROM agent_versions AS v JOIN agents AS a ON a.id = v.agent_id
    WHERE a.owner_id IS NOT NULL GROUP BY 1
  UNION ALL SELECT w.owner_id, 'storage_bytes', sum(octet_length(v.yaml_content) + pg_column_size(v.definition))
    FROM workflow_versions AS v JOIN workflows AS w ON w.id = v.workflow_id WHERE w.owner_id IS NOT NULL GROUP BY 1
  UNION ALL SELECT a.owner_id, 'storage_bytes', sum(f.size) FROM agent_files AS f JOIN agents AS a ON a.id = f.agent_id
    WHERE a.owner_id IS NOT NULL GROUP BY 1
  UNION ALL SELECT a.owner_id, 'storage_bytes', sum(example_bytes(e.input, e.expected)) FROM agent_examples AS e
    JOIN agents AS a ON a.id = e.agent_id WHERE a.owner_id IS NOT NULL GROUP BY 1
  UNION ALL SELECT a.owner_id, 'storage_bytes', sum(f.size) FROM agent_example_files AS f
    JOIN agent_examples AS e ON e.id = f.example_id JOIN agents AS a ON a.id = e.agent_id WHERE a.owner_id IS NOT NULL GROUP BY 1
  UNION ALL SELECT e.owner_id, 'storage_bytes', sum(f.size) FROM execution_files AS f JOIN executions AS e ON e.id = f.execution_id
    WHERE e.owner_id IS NOT NULL GROUP BY 1
  UNION ALL SELECT owner_id, 'executions', count(*) FROM executions WHERE owner_id IS NOT NULL AND completed_at IS NULL GROUP BY 1
  UNION ALL SELECT lane, 'events', count(*) FROM execution_events
    WHERE lane <> '00000000-0000-0000-0000-000000000000' GROUP BY 1`;
