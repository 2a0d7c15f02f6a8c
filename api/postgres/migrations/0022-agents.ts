import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Agents with their workspaces, examples and what is said of their executions. Contents of files lie in the file store by their SHA-256;
 * here are names and hashes.
 *
 * An agent's execution is a row of `executions` like any other, with a row beside it in `agent_executions`: what lists filter and sort by stands
 * in that one row, so that one index serves a list. The database itself keeps the copies of status and times, and the counts of each agent.
 */
export const agents: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...WORKSPACES, ...CONTENTS, ...EXAMPLES, ...EXECUTIONS, ...COPIES, ...STATISTICS]) {
      await sql.raw(statement).execute(db);
    }
  },
};

const WORKSPACES = [
  `CREATE TABLE agents (
    id text PRIMARY KEY CHECK (id ~ '^awf_[0-9A-Za-z]{20}$'),
    slug text NOT NULL CHECK (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$'),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    description text NOT NULL DEFAULT '',
    config json NOT NULL DEFAULT '{}',
    owner_id uuid REFERENCES users ON DELETE SET NULL,
    visibility text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'shared')),
    latest_version integer NOT NULL DEFAULT 0,
    latest_commit text,
    archived_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  'CREATE UNIQUE INDEX agents_slug_key ON agents (slug)',
  'CREATE INDEX agents_owner ON agents (owner_id, created_at DESC, id)',
  'CREATE INDEX agents_created ON agents (created_at DESC, id)',
  // Each change of the workspace is a version; what a version held is read from the rows that were live at it.
  `CREATE TABLE agent_versions (
    agent_id text NOT NULL REFERENCES agents ON DELETE CASCADE,
    version integer NOT NULL CHECK (version > 0),
    commit text NOT NULL,
    author text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (agent_id, version)
  )`,
  `CREATE TABLE agent_files (
    agent_id text NOT NULL REFERENCES agents ON DELETE CASCADE,
    path text NOT NULL CHECK (length(path) BETWEEN 1 AND 512),
    from_version integer NOT NULL,
    until_version integer CHECK (until_version > from_version),
    content_hash text NOT NULL,
    size bigint NOT NULL,
    content_type text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (agent_id, path, from_version)
  )`,
  'CREATE UNIQUE INDEX agent_files_live ON agent_files (agent_id, path) WHERE until_version IS NULL',
  // One name a file, whatever the case: two that differ in it alone clash on the disks of some machines.
  'CREATE UNIQUE INDEX agent_files_live_fold ON agent_files (agent_id, lower(path)) WHERE until_version IS NULL',
  'CREATE INDEX agent_files_content ON agent_files (content_hash)',
];

const CONTENTS = [
  // What lies in the file store. `stored_at` is renewed by whoever is about to refer to it: nothing young is deleted.
  `CREATE TABLE file_contents (
    hash text PRIMARY KEY CHECK (hash ~ '^[0-9a-f]{64}$'),
    size bigint NOT NULL,
    stored_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX file_contents_stored ON file_contents (stored_at)',
];

const EXAMPLES = [
  `CREATE TABLE agent_examples (
    id text PRIMARY KEY CHECK (id ~ '^awx_[0-9A-Za-z]{20}$'),
    agent_id text NOT NULL REFERENCES agents ON DELETE CASCADE,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    input json NOT NULL,
    expected json,
    source_execution_id text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  'CREATE UNIQUE INDEX agent_examples_name_key ON agent_examples (agent_id, name)',
  `CREATE TABLE agent_example_files (
    example_id text NOT NULL REFERENCES agent_examples ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('input', 'expected')),
    path text NOT NULL,
    content_hash text NOT NULL,
    size bigint NOT NULL,
    content_type text NOT NULL,
    PRIMARY KEY (example_id, kind, path)
  )`,
  'CREATE INDEX agent_example_files_content ON agent_example_files (content_hash)',
];

const EXECUTIONS = [
  `CREATE TABLE agent_executions (
    execution_id text PRIMARY KEY REFERENCES executions ON DELETE CASCADE,
    agent_id text NOT NULL REFERENCES agents ON DELETE CASCADE,
    owner_id uuid,
    status text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    started_at timestamptz(3),
    completed_at timestamptz(3),
    workspace_version integer NOT NULL,
    config json NOT NULL,
    scopes text[],
    source_execution_id text,
    batch_id text,
    example_id text,
    example_name text,
    model text,
    schema_valid boolean,
    cost json,
    feedback_rating text CHECK (feedback_rating IN ('pass', 'fail', 'partial')),
    feedback_status text CHECK (feedback_status IN ('open', 'resolved', 'ignored')),
    feedback_body text,
    feedback_created_at timestamptz(3),
    feedback_created_by text,
    feedback_created_by_email text,
    feedback_updated_at timestamptz(3),
    feedback_resolved_at timestamptz(3),
    feedback_resolved_by text,
    feedback_resolved_by_email text,
    feedback_resolved_by_session_id text,
    expected json,
    expected_files integer NOT NULL DEFAULT 0,
    promoted_example_name text,
    CHECK ((feedback_created_at IS NULL) = (feedback_body IS NULL)),
    CHECK ((feedback_created_at IS NULL) = (feedback_status IS NULL)),
    CHECK ((feedback_status = 'resolved') = (feedback_resolved_at IS NOT NULL))
  ) WITH (fillfactor = 80)`,
  // Each order is read from the same index forwards and backwards: what is unset comes last going down, first going up.
  'CREATE INDEX agent_executions_created ON agent_executions (agent_id, created_at DESC, execution_id DESC)',
  'CREATE INDEX agent_executions_owner ON agent_executions (agent_id, owner_id, created_at DESC, execution_id DESC)',
  'CREATE INDEX agent_executions_completed ON agent_executions (agent_id, completed_at DESC NULLS LAST, execution_id DESC)',
  'CREATE INDEX agent_executions_status ON agent_executions (agent_id, status, created_at DESC, execution_id DESC)',
  'CREATE INDEX agent_executions_example ON agent_executions (agent_id, example_name DESC NULLS LAST, execution_id DESC)',
  'CREATE INDEX agent_executions_batch ON agent_executions (agent_id, batch_id, created_at DESC, execution_id DESC) WHERE batch_id IS NOT NULL',
  `CREATE INDEX agent_executions_feedback ON agent_executions (agent_id, created_at DESC, execution_id DESC)
    WHERE feedback_created_at IS NOT NULL`,
  `CREATE INDEX agent_executions_expected ON agent_executions (agent_id, created_at DESC, execution_id DESC)
    WHERE expected IS NOT NULL OR expected_files > 0`,
  `CREATE INDEX agent_executions_resolved ON agent_executions (agent_id, feedback_resolved_at DESC)
    WHERE feedback_resolved_at IS NOT NULL`,
  `CREATE INDEX agent_executions_promoted ON agent_executions (agent_id, created_at DESC, execution_id DESC)
    WHERE promoted_example_name IS NOT NULL`,
  `CREATE TABLE execution_files (
    execution_id text NOT NULL REFERENCES executions ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('input', 'output', 'issues', 'trace', 'expected')),
    path text NOT NULL CHECK (length(path) BETWEEN 1 AND 512),
    content_hash text NOT NULL,
    size bigint NOT NULL,
    content_type text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (execution_id, kind, path)
  )`,
  'CREATE INDEX execution_files_content ON execution_files (content_hash)',
];

const COPIES = [
  `CREATE FUNCTION copy_agent_execution_state() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE agent_executions SET status = NEW.status, started_at = NEW.started_at, completed_at = NEW.completed_at
    WHERE execution_id = NEW.id;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER executions_agent_state AFTER UPDATE OF status, started_at, completed_at ON executions
    FOR EACH ROW WHEN (NEW.kind = 'agent' AND
      (NEW.status, NEW.started_at, NEW.completed_at) IS DISTINCT FROM (OLD.status, OLD.started_at, OLD.completed_at))
    EXECUTE FUNCTION copy_agent_execution_state()`,
];

const STATISTICS = [
  // Sixteen rows an agent, by the connection that writes: who runs the same agent at the same time does not wait for each other.
  `CREATE TABLE agent_statistics (
    agent_id text NOT NULL REFERENCES agents ON DELETE CASCADE,
    shard smallint NOT NULL,
    executions bigint NOT NULL DEFAULT 0,
    finished bigint NOT NULL DEFAULT 0,
    duration_ms double precision NOT NULL DEFAULT 0,
    credits double precision NOT NULL DEFAULT 0,
    last_execution_at timestamptz(3),
    PRIMARY KEY (agent_id, shard)
  ) WITH (fillfactor = 50)`,
  `CREATE FUNCTION count_agent_execution() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    here smallint := pg_backend_pid() % 16;
    change agent_executions%ROWTYPE;
    count_by integer := 0;
    finished_by integer := 0;
    took double precision := 0;
    paid double precision := 0;
  BEGIN
    IF TG_OP = 'DELETE' THEN change := OLD; ELSE change := NEW; END IF;
    IF TG_OP <> 'UPDATE' THEN count_by := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END; END IF;
    IF change.completed_at IS NOT NULL AND (TG_OP <> 'UPDATE' OR OLD.completed_at IS NULL) THEN
      finished_by := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
      took := finished_by * extract(epoch FROM change.completed_at - coalesce(change.started_at, change.completed_at)) * 1000;
      paid := finished_by * coalesce((change.cost ->> 'credits')::double precision, 0);
    END IF;
    -- An agent that is being deleted takes its counts along.
    IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM agents WHERE id = change.agent_id) THEN RETURN NULL; END IF;
    INSERT INTO agent_statistics AS s (agent_id, shard, executions, finished, duration_ms, credits, last_execution_at)
    VALUES (change.agent_id, here, count_by, finished_by, took, paid, change.created_at)
    ON CONFLICT (agent_id, shard) DO UPDATE SET
      executions = s.executions + excluded.executions, finished = s.finished + excluded.finished,
      duration_ms = s.duration_ms + excluded.duration_ms, credits = s.credits + excluded.credits,
      last_execution_at = greatest(s.last_execution_at, excluded.last_execution_at);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER agent_executions_counted AFTER INSERT OR DELETE ON agent_executions
    FOR EACH ROW EXECUTE FUNCTION count_agent_execution()`,
  `CREATE TRIGGER agent_executions_finished AFTER UPDATE OF completed_at ON agent_executions
    FOR EACH ROW WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL) EXECUTE FUNCTION count_agent_execution()`,
];
