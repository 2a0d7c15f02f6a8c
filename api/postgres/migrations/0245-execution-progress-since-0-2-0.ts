import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What changes with every step of a leased execution, apart from its row: a row of `executions` is wide, has several index entries and seldom room for
 * another version in its page. A row exists from the claim until the lease ends, and names the epoch of the lease: a worker that lost the lease
 * finds no row to write.
 *
 * Invariant: the state of a leased execution is that of its progress if that has one, and otherwise that of the execution. Triggers return it to the execution
 * when the lease ends, so that workers that do not know the table continue from there.
 */
export const executionProgress: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [TABLE, CONTINUE, ENDED, STATE_WRITTEN, LEASE_ENDED, ...TRIGGERS, ...REPLACED])
      await sql.raw(statement).execute(db);
  },
};

/** Half of a page stays free, so that an update stays within its page. Rows live for milliseconds: vacuum goes by their number, not by their share. */
const TABLE = `
  CREATE TABLE execution_progress (
    execution_id text PRIMARY KEY,
    epoch integer NOT NULL,
    state json,
    state_file text,
    written_bytes bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0)`;

/**
 * Writes the progress of leased executions that continue, and returns the ids of those that are leased with these epochs. A function has its own settings, and keeps
 * its plan: one that was made while the table was nearly empty would read all of it, and it has many old row versions between two vacuums. `ANY` lets no plan
 * read more of it than these ids.
 */
const CONTINUE = `
  CREATE FUNCTION continue_executions(ids text[], epochs integer[], states text[], state_files text[], bytes bigint[]) RETURNS SETOF text LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan SET jit = off AS $$
  BEGIN
    RETURN QUERY UPDATE execution_progress AS p
    SET state = given.state::json, state_file = given.state_file, written_bytes = p.written_bytes + given.bytes
    FROM unnest(ids, epochs, states, state_files, bytes) AS given (id, epoch, state, state_file, bytes)
    WHERE p.execution_id = ANY (ids) AND p.execution_id = given.id AND p.epoch = given.epoch
    RETURNING p.execution_id;
  END $$`;

/** An execution has ended: its bytes are those of its row, its progress and its console lines. */
const ENDED = `
  CREATE FUNCTION execution_ended() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    WITH gone AS (DELETE FROM execution_progress WHERE execution_id = NEW.id RETURNING written_bytes)
    SELECT NEW.written_bytes + coalesce((SELECT written_bytes FROM gone), 0) +
      (SELECT coalesce(sum(64 + octet_length(text)), 0) FROM execution_lines WHERE execution_id = NEW.id) INTO NEW.written_bytes;
    RETURN NEW;
  END $$`;

/** A statement has set the state of a leased execution that has not ended: that of the progress is older. */
const STATE_WRITTEN = `
  CREATE FUNCTION execution_state_written() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE execution_progress SET state = NULL, state_file = NULL
    WHERE execution_id = NEW.id AND (state IS NOT NULL OR state_file IS NOT NULL);
    RETURN NEW;
  END $$`;

/** A lease has ended, but not the execution. Its trigger has the later name, so that it runs after `execution_state_written`. */
const LEASE_ENDED = `
  CREATE FUNCTION execution_lease_ended() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    gone execution_progress;
  BEGIN
    DELETE FROM execution_progress WHERE execution_id = NEW.id RETURNING * INTO gone;
    IF NOT FOUND THEN RETURN NEW; END IF;
    NEW.written_bytes := NEW.written_bytes + gone.written_bytes;
    IF gone.state IS NOT NULL OR gone.state_file IS NOT NULL THEN
      NEW.state := gone.state;
      NEW.state_file := gone.state_file;
    END IF;
    RETURN NEW;
  END $$`;

const LEASED = "IN ('running', 'finalizing')";

const TRIGGERS = [
  `CREATE TRIGGER executions_end BEFORE UPDATE OF status ON executions FOR EACH ROW
    WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL) EXECUTE FUNCTION execution_ended()`,
  `CREATE TRIGGER executions_progress_of_state BEFORE UPDATE OF state ON executions FOR EACH ROW
    WHEN (OLD.status ${LEASED} AND NEW.completed_at IS NULL) EXECUTE FUNCTION execution_state_written()`,
  `CREATE TRIGGER executions_progress_to_return BEFORE UPDATE OF status, epoch ON executions FOR EACH ROW
    WHEN (OLD.status ${LEASED} AND NEW.completed_at IS NULL AND (NEW.status NOT ${LEASED} OR NEW.epoch <> OLD.epoch))
    EXECUTE FUNCTION execution_lease_ended()`,
];

const REPLACED = ['DROP TRIGGER executions_lines_counted ON executions', 'DROP FUNCTION execution_lines_counted()'];
