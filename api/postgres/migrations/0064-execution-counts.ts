import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * How many executions lie behind a moment: a page that is asked for by its number begins where so many were passed, and walking there takes longer the farther it is.
 * Each list that can be long (of everything, of a kind, of a workflow or agent, of those who see them) has its executions counted by ranges of time, which are cut
 * so that about four thousand of all lie in each; who looks for the 500,000th adds up some hundred numbers and passes the rest of one range.
 *
 * The transaction that changes an execution only notes the change in a row of its own, so that no two wait for each other. `fold_execution_counts` adds up what
 * was noted, in the order it came: one at a time, whoever calls it. Ranges are cut where everything counted is older (or younger), so that none has to be counted
 * anew; they are those of the list of all, and of the list of all agents' by the end of each.
 */
export const executionCounts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, LISTS, NOTE, ...TRIGGERS, FOLD, ...INDEXES])
      await sql.raw(statement).execute(db);
    await fillExecutionCounts(db);
  },
};

const TABLES = [
  `CREATE TABLE execution_count_changes (
    seq bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL,
    unit_id text NOT NULL,
    owner_id uuid,
    example_id text,
    created_at timestamptz(3) NOT NULL,
    completed_at timestamptz(3),
    from_status text,
    to_status text
  ) WITH (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_insert_scale_factor = 0.2)`,
  // A range goes from its moment up to that of the next one of the list.
  `CREATE TABLE execution_counts (
    list text NOT NULL,
    since timestamptz(3) NOT NULL,
    newest timestamptz(3) NOT NULL,
    created integer NOT NULL,
    pending integer NOT NULL,
    running integer NOT NULL,
    waiting integer NOT NULL,
    finalizing integer NOT NULL,
    completed integer NOT NULL,
    failed integer NOT NULL,
    cancelled integer NOT NULL,
    rejected integer NOT NULL,
    total integer GENERATED ALWAYS AS (created + pending + running + waiting + finalizing + completed + failed + cancelled + rejected) STORED,
    PRIMARY KEY (list, since)
  ) WITH (fillfactor = 50)`,
];

/** The lists by creation that an execution is in. `unit_owner` owns its workflow or agent. */
const LISTS = `
  CREATE FUNCTION execution_count_lists(kind text, unit_id text, owner_id uuid, example_id text, unit_owner uuid)
  RETURNS TABLE (list text) LANGUAGE sql STABLE AS $$
    SELECT its.list FROM (VALUES
      ('all'), ('all ' || kind), (unit_id), (unit_id || ' of ' || owner_id), (unit_id || ' example ' || example_id),
      (unit_id || ' of ' || owner_id || ' example ' || example_id)
    ) AS its (list) WHERE its.list IS NOT NULL
    UNION ALL
    SELECT 'seen by ' || viewer.id || what FROM (SELECT owner_id UNION SELECT unit_owner) AS viewer (id)
    CROSS JOIN (VALUES (''), (' ' || kind)) AS its (what) WHERE viewer.id IS NOT NULL
  $$`;

const UNIT_OWNER = `
  LEFT JOIN LATERAL (
    SELECT owner_id FROM workflows WHERE alike.kind = 'workflow' AND id = unit_id
    UNION ALL SELECT owner_id FROM agents WHERE alike.kind = 'agent' AND id = unit_id
  ) AS unit ON true`;

const SUMS = ['created', 'pending', 'running', 'waiting', 'finalizing', 'completed', 'failed', 'cancelled', 'rejected']
  .map((status) => `coalesce(sum(n) FILTER (WHERE status = '${status}'), 0)`)
  .join(', ');

const NOTE = `
  CREATE FUNCTION note_execution_count() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      INSERT INTO execution_count_changes (kind, unit_id, owner_id, example_id, created_at, completed_at, from_status)
      VALUES (OLD.kind, coalesce(OLD.workflow_id, OLD.agent_id), OLD.owner_id, OLD.example_id, OLD.created_at, OLD.completed_at, OLD.status);
    ELSE
      INSERT INTO execution_count_changes (kind, unit_id, owner_id, example_id, created_at, completed_at, from_status, to_status)
      VALUES (NEW.kind, coalesce(NEW.workflow_id, NEW.agent_id), NEW.owner_id, NEW.example_id, NEW.created_at, NEW.completed_at,
        CASE TG_OP WHEN 'UPDATE' THEN OLD.status END, NEW.status);
    END IF;
    RETURN NULL;
  END $$`;

const TRIGGERS = [
  'CREATE TRIGGER executions_counted AFTER INSERT OR DELETE ON executions FOR EACH ROW EXECUTE FUNCTION note_execution_count()',
  `CREATE TRIGGER executions_counted_anew AFTER UPDATE OF status ON executions
    FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION note_execution_count()`,
];

const FOLD = `
  CREATE FUNCTION fold_execution_counts(at_most integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    folded integer;
    emptied tid[];
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('trapline.execution_counts'));
    WITH taken AS (
      DELETE FROM execution_count_changes WHERE ctid = ANY (ARRAY(SELECT ctid FROM execution_count_changes ORDER BY seq LIMIT at_most))
      RETURNING kind, unit_id, owner_id, example_id, created_at, completed_at, from_status, to_status
    ), moved AS MATERIALIZED (
      SELECT kind, unit_id, owner_id, example_id, ended, at, status, sum(n)::int AS n
      FROM taken CROSS JOIN LATERAL (VALUES
        (false, created_at, from_status, -1), (false, created_at, to_status, 1),
        (true, CASE kind WHEN 'agent' THEN completed_at END, coalesce(to_status, from_status), CASE WHEN to_status IS NULL THEN -1 ELSE 1 END)
      ) AS move (ended, at, status, n)
      WHERE status IS NOT NULL AND at IS NOT NULL
      -- What was only passed through, as running mostly is, goes no further.
      GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0
    ), times AS (
      SELECT ended, at, sum(n)::int AS n FROM moved GROUP BY ended, at
    ), edges AS (
      SELECT ended, first.since AS first, last.since AS last, last.newest, coalesce(last.total, 0) AS held
      FROM (VALUES (false, 'all'), (true, 'all ended')) AS whole (ended, list)
      LEFT JOIN LATERAL (SELECT since FROM execution_counts AS c WHERE c.list = whole.list ORDER BY since LIMIT 1) AS first ON true
      LEFT JOIN LATERAL (SELECT since, newest, total FROM execution_counts AS c WHERE c.list = whole.list ORDER BY since DESC LIMIT 1) AS last ON true
    ), ahead AS (
      SELECT ended, at, last, greatest((held + sum(n) OVER (PARTITION BY ended ORDER BY at) - n) / 4000, 0) AS part
      FROM times JOIN edges USING (ended) WHERE last IS NULL OR at > newest
    ), behind AS (
      SELECT ended, at, greatest((sum(n) OVER (PARTITION BY ended ORDER BY at DESC) - n) / 4000, 0) AS part
      FROM times JOIN edges USING (ended) WHERE at < first
    ), ranges AS (
      SELECT ended, at, coalesce(CASE part WHEN 0 THEN last END, min(at) OVER (PARTITION BY ended, part)) AS since FROM ahead
      UNION ALL
      SELECT ended, at, min(at) OVER (PARTITION BY ended, part) FROM behind
      UNION ALL
      SELECT ended, at, (
        SELECT since FROM execution_counts WHERE list = CASE WHEN ended THEN 'all ended' ELSE 'all' END AND since <= at ORDER BY since DESC LIMIT 1
      ) FROM times JOIN edges USING (ended) WHERE at BETWEEN first AND newest
    ), alike AS (
      SELECT ended, since, kind, unit_id, owner_id, example_id, status, sum(n)::int AS n, max(at) AS newest
      FROM moved JOIN ranges USING (ended, at) GROUP BY 1, 2, 3, 4, 5, 6, 7
    ), listed AS (
      SELECT list, since, alike.newest, status, n FROM alike ${UNIT_OWNER}
      CROSS JOIN LATERAL (
        SELECT list FROM (VALUES ('all ended'), (unit_id || ' ended')) AS its (list) WHERE ended
        UNION ALL
        SELECT list FROM execution_count_lists(alike.kind, unit_id, alike.owner_id, example_id, unit.owner_id) WHERE NOT ended
      ) AS its
    ), counted AS (
      INSERT INTO execution_counts AS c (list, since, newest, created, pending, running, waiting, finalizing, completed, failed, cancelled, rejected)
      SELECT list, since, max(newest), ${SUMS} FROM listed GROUP BY list, since
      ON CONFLICT (list, since) DO UPDATE SET newest = greatest(c.newest, excluded.newest),
        created = c.created + excluded.created, pending = c.pending + excluded.pending, running = c.running + excluded.running,
        waiting = c.waiting + excluded.waiting, finalizing = c.finalizing + excluded.finalizing, completed = c.completed + excluded.completed,
        failed = c.failed + excluded.failed, cancelled = c.cancelled + excluded.cancelled, rejected = c.rejected + excluded.rejected
      RETURNING ctid AS at_tid, (created, pending, running, waiting, finalizing, completed, failed, cancelled, rejected) = (0, 0, 0, 0, 0, 0, 0, 0, 0) AS empty
    )
    SELECT (SELECT count(*) FROM taken), (SELECT array_agg(at_tid) FROM counted WHERE empty) INTO folded, emptied;
    DELETE FROM execution_counts WHERE ctid = ANY (emptied);
    RETURN folded;
  END $$`;

const INDEXES = [
  // What one owner ran of a workflow is chosen by its status in the index alone.
  'DROP INDEX executions_workflow_owner',
  `CREATE INDEX executions_workflow_owner ON executions (workflow_id, owner_id, created_at DESC, id DESC) INCLUDE (status)
    WHERE kind = 'workflow'`,
  // Lists of an agent's are read from those of `agent_executions`: these were written, and nothing asked for them.
  'DROP INDEX executions_agent, executions_agent_status, executions_batch',
];

/** Counts all executions that there are at once, where none is counted yet. Ranges are cut where four thousand more have come. */
export async function fillExecutionCounts(db: QueryExecutorProvider): Promise<void> {
  for (const statement of FILL) await sql.raw(statement).execute(db);
}

const FILL = [
  fill(
    "kind = 'agent' AND completed_at IS NOT NULL",
    'completed_at',
    "(VALUES ('all ended'), (unit_id || ' ended')) AS its (list)",
  ),
  fill('true', 'created_at', 'execution_count_lists(kind, unit_id, alike.owner_id, example_id, unit.owner_id)'),
];

function fill(those: string, at: string, lists: string): string {
  return `
    WITH cut AS (
      SELECT array_agg(since ORDER BY since) AS moments FROM (
        SELECT DISTINCT min(at) AS since FROM (
          SELECT ${at} AS at, (row_number() OVER (ORDER BY ${at}) - 1) / 4000 AS part FROM executions WHERE ${those}
        ) AS parts GROUP BY part
      ) AS since
    ), alike AS (
      SELECT kind, coalesce(workflow_id, agent_id) AS unit_id, owner_id, example_id, status,
        moments[width_bucket(${at}, moments)] AS since, max(${at}) AS newest, count(*) AS n
      FROM executions CROSS JOIN cut WHERE ${those} GROUP BY 1, 2, 3, 4, 5, 6
    )
    INSERT INTO execution_counts (list, since, newest, created, pending, running, waiting, finalizing, completed, failed, cancelled, rejected)
    SELECT list, since, max(newest), ${SUMS} FROM alike ${UNIT_OWNER} CROSS JOIN LATERAL ${lists} GROUP BY list, since`;
}
