import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Quotas of users. The database counts what each user keeps and refuses what goes beyond, whichever process writes it: triggers charge an
 * insert and release a deletion.
 *
 * What a user has of a resource is the sum of sixteen rows, one for each class of connections, so that requests of one user do not wait for
 * each other. Each row has a cap. Invariant: no charge takes a row above its cap, and the caps of a user and resource add up to the quota at
 * most. A charge that does not fit into its row takes spare cap from other rows, without waiting for rows that are locked: so two charges
 * cannot block each other, and together cannot exceed the quota. It is refused when no row has spare cap.
 *
 * Releases, and charges that must not be refused, are noted in rows of their own, which block nobody. `settle_usage` adds them up and sets
 * the caps by the quota of that moment; a charge that does not fit adds them up as well before it is refused.
 */
export const userQuotas: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...FUNCTIONS, ...COLUMNS, ...TRIGGERS, FILL])
      await sql.raw(statement).execute(db);
  },
};

const SHARDS = 16;
/** Of a charge that does not fit while other transactions hold what is left; they end within milliseconds. */
const PATIENCE = '5 seconds';

const TABLES = [
  // null: unlimited. A resource that has no row here is unlimited for everyone.
  `CREATE TABLE quota_defaults (
    resource text PRIMARY KEY,
    quota bigint CHECK (quota >= 0),
    administrator_quota bigint CHECK (administrator_quota >= 0)
  )`,
  `CREATE TABLE user_quotas (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    resource text NOT NULL,
    quota bigint CHECK (quota >= 0),
    PRIMARY KEY (user_id, resource)
  )`,
  // cap is null: unlimited.
  `CREATE TABLE user_usage (
    user_id uuid NOT NULL,
    resource text NOT NULL,
    shard smallint NOT NULL,
    used bigint NOT NULL,
    cap bigint,
    PRIMARY KEY (user_id, resource, shard)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE usage_notes (user_id uuid NOT NULL, resource text NOT NULL, amount bigint NOT NULL)
    WITH (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0)`,
  'CREATE INDEX usage_notes_of ON usage_notes (user_id, resource)',
];

const FUNCTIONS = [
  // null: unlimited.
  `CREATE FUNCTION quota_of(owner uuid, of_resource text) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN own.user_id IS NOT NULL THEN own.quota WHEN u.role = 'admin' THEN d.administrator_quota ELSE d.quota END
    FROM quota_defaults AS d JOIN users AS u ON u.id = owner
    LEFT JOIN user_quotas AS own ON own.user_id = owner AND own.resource = of_resource
    WHERE d.resource = of_resource
  $$`,
  `CREATE FUNCTION share_of(total bigint, at_shard integer) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT floor(total::numeric / ${SHARDS})::bigint + CASE WHEN at_shard < mod(mod(total, ${SHARDS}) + ${SHARDS}, ${SHARDS}) THEN 1 ELSE 0 END
  $$`,
  // The caller holds no row of this user and resource: all are locked here, in order.
  `CREATE FUNCTION settle_usage(owner uuid, of_resource text) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    noted bigint;
    spare bigint;
  BEGIN
    PERFORM FROM user_usage WHERE user_id = owner AND resource = of_resource ORDER BY shard FOR UPDATE;
    IF NOT FOUND THEN
      -- Whoever changes the quotas of the user locks it: the caps below are by those that hold.
      PERFORM FROM users WHERE id = owner FOR KEY SHARE;
      INSERT INTO user_usage (user_id, resource, shard, used)
        SELECT owner, of_resource, shard, 0 FROM generate_series(0, ${SHARDS - 1}) AS shard ORDER BY shard ON CONFLICT DO NOTHING;
      PERFORM FROM user_usage WHERE user_id = owner AND resource = of_resource ORDER BY shard FOR UPDATE;
    END IF;
    WITH taken AS (DELETE FROM usage_notes AS n WHERE n.user_id = owner AND n.resource = of_resource RETURNING n.amount)
      SELECT coalesce(sum(taken.amount), 0) INTO noted FROM taken;
    UPDATE user_usage SET used = used + noted WHERE user_id = owner AND resource = of_resource AND shard = 0 AND noted <> 0;
    SELECT greatest(quota_of(owner, of_resource) - sum(used), 0) INTO spare FROM user_usage WHERE user_id = owner AND resource = of_resource;
    IF quota_of(owner, of_resource) IS NULL THEN spare := NULL; END IF;
    UPDATE user_usage SET cap = used + share_of(spare, shard) WHERE user_id = owner AND resource = of_resource;
  END $$`,
  `CREATE FUNCTION charge_quota(owner uuid, of_resource text, amount bigint) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    here integer := pg_backend_pid() % ${SHARDS};
    noted bigint;
    taken bigint;
    attempts integer := 0;
    began timestamptz := clock_timestamp();
  BEGIN
    IF owner IS NULL OR amount = 0 THEN RETURN; END IF;
    UPDATE user_usage SET used = used + amount
      WHERE user_id = owner AND resource = of_resource AND shard = here AND (cap IS NULL OR used + amount <= cap);
    IF FOUND THEN RETURN; END IF;
    IF NOT EXISTS (SELECT FROM user_usage WHERE user_id = owner AND resource = of_resource) THEN
      PERFORM settle_usage(owner, of_resource);
    END IF;
    PERFORM FROM user_usage WHERE user_id = owner AND resource = of_resource AND shard = here FOR UPDATE;
    LOOP
      attempts := attempts + 1;
      WITH these AS (
        SELECT ctid FROM usage_notes WHERE user_id = owner AND resource = of_resource FOR UPDATE SKIP LOCKED
      ), gone AS (
        DELETE FROM usage_notes AS n WHERE n.ctid = ANY (ARRAY(SELECT ctid FROM these)) RETURNING n.amount
      ) SELECT coalesce(sum(gone.amount), 0) INTO noted FROM gone;
      -- Half of what one other row has to spare, so that others find some too; all of it from the second time on.
      WITH free AS (
        SELECT shard, CASE attempts WHEN 1 THEN (cap - used + 1) / 2 ELSE cap - used END AS part
        FROM user_usage WHERE user_id = owner AND resource = of_resource AND shard <> here AND cap > used
        ORDER BY cap - used DESC LIMIT 1 FOR UPDATE SKIP LOCKED
      ), gave AS (
        UPDATE user_usage AS u SET cap = u.cap - free.part FROM free
        WHERE u.user_id = owner AND u.resource = of_resource AND u.shard = free.shard RETURNING free.part
      ) SELECT coalesce(sum(part), 0) INTO taken FROM gave;
      UPDATE user_usage SET used = used + noted, cap = cap + taken
        WHERE user_id = owner AND resource = of_resource AND shard = here AND (noted <> 0 OR taken <> 0);
      UPDATE user_usage SET used = used + amount
        WHERE user_id = owner AND resource = of_resource AND shard = here AND (cap IS NULL OR used + amount <= cap);
      IF FOUND THEN RETURN; END IF;
      -- What is spare is in rows that other transactions hold for a moment. It is not waited for with a lock: they may wait for ours.
      EXIT WHEN NOT EXISTS (
        SELECT FROM user_usage WHERE user_id = owner AND resource = of_resource AND shard <> here AND cap > used
        UNION ALL SELECT FROM usage_notes WHERE user_id = owner AND resource = of_resource
      );
      EXIT WHEN clock_timestamp() > began + interval '${PATIENCE}';
      IF taken = 0 THEN PERFORM pg_sleep(0.004); END IF;
    END LOOP;
    RAISE EXCEPTION 'quota exceeded' USING ERRCODE = 'TQ001', CONSTRAINT = of_resource, DETAIL = json_build_object(
      'quota', quota_of(owner, of_resource),
      'used', (SELECT sum(used) FROM user_usage WHERE user_id = owner AND resource = of_resource)
    )::text;
  END $$`,
  // Another role has other quotas.
  `CREATE FUNCTION settle_role() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM settle_usage(NEW.id, resource) FROM (
      SELECT DISTINCT resource FROM user_usage WHERE user_id = NEW.id ORDER BY resource
    ) AS counted;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION note_usage(owner uuid, of_resource text, amount bigint) RETURNS void LANGUAGE sql AS $$
    INSERT INTO usage_notes (user_id, resource, amount) SELECT owner, of_resource, amount WHERE owner IS NOT NULL AND amount <> 0
  $$`,
  // One resource whose rows name their owner in a column.
  `CREATE FUNCTION count_owned() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      PERFORM charge_quota((to_jsonb(NEW) ->> TG_ARGV[1])::uuid, TG_ARGV[0], 1);
    ELSE
      PERFORM note_usage((to_jsonb(OLD) ->> TG_ARGV[1])::uuid, TG_ARGV[0], -1);
    END IF;
    RETURN NULL;
  END $$`,
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

const owned = (table: string, resource: string, column: string) => `
  CREATE TRIGGER ${table}_quota AFTER INSERT OR DELETE ON ${table}
  FOR EACH ROW EXECUTE FUNCTION count_owned('${resource}', '${column}')`;

const ENDED = 'WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL)';

const TRIGGERS = [
  `CREATE TRIGGER users_role_quota AFTER UPDATE OF role ON users
    FOR EACH ROW WHEN (OLD.role IS DISTINCT FROM NEW.role) EXECUTE FUNCTION settle_role()`,
  owned('agents', 'agents', 'owner_id'),
  owned('workflows', 'workflows', 'owner_id'),
  owned('api_keys', 'api_keys', 'user_id'),
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
