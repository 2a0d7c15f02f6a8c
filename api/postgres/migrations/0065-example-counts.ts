import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * How many executions of an agent lie before a name of an example: a page of its list by example names begins behind so many, and walking there takes longer the
 * farther it is. The executions of a name are counted by ranges of their ids, of four thousand each, as executions of nothing can be half a million.
 *
 * The transaction that adds or deletes executions only notes them, so that no two wait for each other; `fold_agent_example_counts` adds up what was noted, in the
 * order it came. A range holds the ids from `since` to `newest`; it is added to until it is full, and one that lies before the first of its name begins another.
 */
export const exampleCounts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, NOTE, ...TRIGGERS, FOLD]) await sql.raw(statement).execute(db);
    await fillExampleCounts(db);
  },
};

/** Counts all executions of agents that there are at once, where none is counted yet. */
export async function fillExampleCounts(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(FILL).execute(db);
}

const TABLES = [
  `CREATE TABLE agent_example_changes (
    seq bigint GENERATED ALWAYS AS IDENTITY,
    agent_id text NOT NULL,
    example_name text,
    execution_id text NOT NULL,
    n smallint NOT NULL
  ) WITH (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0)`,
  // Read backwards it has the order of the list going down: names, then those without one. A name that is not there is the empty one.
  `CREATE TABLE agent_example_counts (
    agent_id text NOT NULL,
    named boolean NOT NULL,
    example_name text NOT NULL,
    since text NOT NULL,
    newest text NOT NULL,
    executions integer NOT NULL,
    PRIMARY KEY (agent_id, named, example_name, since)
  ) WITH (fillfactor = 50)`,
];

const NOTE = `
  CREATE FUNCTION note_agent_examples() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO agent_example_changes (agent_id, example_name, execution_id, n)
    SELECT agent_id, example_name, execution_id, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END FROM changed;
    RETURN NULL;
  END $$`;

const TRIGGERS = [
  `CREATE TRIGGER agent_executions_named AFTER INSERT ON agent_executions
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_agent_examples()`,
  `CREATE TRIGGER agent_executions_unnamed AFTER DELETE ON agent_executions
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_agent_examples()`,
];

const FOLD = `
  CREATE FUNCTION fold_agent_example_counts(at_most integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    folded integer;
    emptied tid[];
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('trapline.agent_example_counts'));
    WITH taken AS (
      DELETE FROM agent_example_changes WHERE ctid = ANY (ARRAY(SELECT ctid FROM agent_example_changes ORDER BY seq LIMIT at_most))
      RETURNING agent_id, example_name IS NOT NULL AS named, coalesce(example_name, '') AS example_name, execution_id, n
    ), moved AS MATERIALIZED (
      SELECT agent_id, named, example_name, execution_id, sum(n)::int AS n FROM taken GROUP BY 1, 2, 3, 4
    ), edges AS (
      SELECT agent_id, named, example_name, first.since AS first, last.since AS last, last.newest, coalesce(last.executions, 0) AS held
      FROM (SELECT DISTINCT agent_id, named, example_name FROM moved) AS name
      LEFT JOIN LATERAL (
        SELECT since FROM agent_example_counts AS c
        WHERE (c.agent_id, c.named, c.example_name) = (name.agent_id, name.named, name.example_name) ORDER BY since LIMIT 1
      ) AS first ON true
      LEFT JOIN LATERAL (
        SELECT since, newest, executions FROM agent_example_counts AS c
        WHERE (c.agent_id, c.named, c.example_name) = (name.agent_id, name.named, name.example_name) ORDER BY since DESC LIMIT 1
      ) AS last ON true
    ), ahead AS (
      SELECT moved.*, last,
        greatest((held + sum(n) OVER (PARTITION BY agent_id, named, example_name ORDER BY execution_id) - n) / 4000, 0) AS part
      FROM moved JOIN edges USING (agent_id, named, example_name) WHERE last IS NULL OR execution_id > newest
    ), behind AS (
      SELECT moved.*,
        greatest((sum(n) OVER (PARTITION BY agent_id, named, example_name ORDER BY execution_id DESC) - n) / 4000, 0) AS part
      FROM moved JOIN edges USING (agent_id, named, example_name) WHERE execution_id < first
    ), ranges AS (
      SELECT agent_id, named, example_name, execution_id, n,
        coalesce(CASE part WHEN 0 THEN last END, min(execution_id) OVER (PARTITION BY agent_id, named, example_name, part)) AS since FROM ahead
      UNION ALL
      SELECT agent_id, named, example_name, execution_id, n, min(execution_id) OVER (PARTITION BY agent_id, named, example_name, part) FROM behind
      UNION ALL
      SELECT agent_id, named, example_name, execution_id, n, (
        SELECT since FROM agent_example_counts AS c
        WHERE (c.agent_id, c.named, c.example_name) = (moved.agent_id, moved.named, moved.example_name) AND since <= execution_id
        ORDER BY since DESC LIMIT 1
      ) FROM moved JOIN edges USING (agent_id, named, example_name) WHERE execution_id BETWEEN first AND newest
    ), counted AS (
      INSERT INTO agent_example_counts AS c (agent_id, named, example_name, since, newest, executions)
      SELECT agent_id, named, example_name, since, max(execution_id), sum(n) FROM ranges GROUP BY 1, 2, 3, 4
      ON CONFLICT (agent_id, named, example_name, since) DO UPDATE SET
        newest = greatest(c.newest, excluded.newest), executions = c.executions + excluded.executions
      RETURNING ctid AS at_tid, executions = 0 AS empty
    )
    SELECT (SELECT count(*) FROM taken), (SELECT array_agg(at_tid) FROM counted WHERE empty) INTO folded, emptied;
    DELETE FROM agent_example_counts WHERE ctid = ANY (emptied);
    RETURN folded;
  END $$`;

const FILL = `
  INSERT INTO agent_example_counts (agent_id, named, example_name, since, newest, executions)
  SELECT agent_id, example_name IS NOT NULL, coalesce(example_name, ''), min(execution_id), max(execution_id), count(*)
  FROM (
    SELECT agent_id, example_name, execution_id, (row_number() OVER (PARTITION BY agent_id, example_name ORDER BY execution_id) - 1) / 4000 AS part
    FROM agent_executions
  ) AS cut
  GROUP BY agent_id, example_name, part`;
