import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Counts runs with an unknown cost: an average over all runs would count them as free. */
export const unpricedRuns: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE agent_statistics ADD COLUMN unpriced bigint NOT NULL DEFAULT 0`.execute(db);
    await sql.raw(COUNT).execute(db);
  },
};

const COUNT = `CREATE OR REPLACE FUNCTION count_agent_execution() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    here smallint := pg_backend_pid() % 16;
    change agent_executions%ROWTYPE;
    count_by integer := 0;
    finished_by integer := 0;
    unpriced_by integer := 0;
    took double precision := 0;
    paid double precision := 0;
  BEGIN
    IF TG_OP = 'DELETE' THEN change := OLD; ELSE change := NEW; END IF;
    IF TG_OP <> 'UPDATE' THEN count_by := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END; END IF;
    IF change.completed_at IS NOT NULL AND (TG_OP <> 'UPDATE' OR OLD.completed_at IS NULL) THEN
      finished_by := CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END;
      took := finished_by * extract(epoch FROM change.completed_at - coalesce(change.started_at, change.completed_at)) * 1000;
      paid := finished_by * coalesce((change.cost ->> 'credits')::double precision, 0);
      IF change.started_at IS NOT NULL AND change.model IS NOT NULL AND change.cost ->> 'credits' IS NULL THEN
        unpriced_by := finished_by;
      END IF;
    END IF;
    -- An agent that is being deleted takes its counts along.
    IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM agents WHERE id = change.agent_id) THEN RETURN NULL; END IF;
    INSERT INTO agent_statistics AS s (agent_id, shard, executions, finished, unpriced, duration_ms, credits, last_execution_at)
    VALUES (change.agent_id, here, count_by, finished_by, unpriced_by, took, paid, change.created_at)
    ON CONFLICT (agent_id, shard) DO UPDATE SET
      executions = s.executions + excluded.executions, finished = s.finished + excluded.finished,
      unpriced = s.unpriced + excluded.unpriced,
      duration_ms = s.duration_ms + excluded.duration_ms, credits = s.credits + excluded.credits,
      last_execution_at = greatest(s.last_execution_at, excluded.last_execution_at);
    RETURN NULL;
  END $$`;
