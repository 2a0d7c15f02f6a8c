import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * An execution that was not begun can wait again, because its workflow is paused; and the end of an execution releases its slot in the same transaction,
 * whichever version writes that end. Version 0.2.0 makes no such move and reads neither.
 */
export const executionHolds: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`INSERT INTO execution_transitions (from_status, to_status) VALUES ('pending', 'created')`.execute(db);
    await sql`
      CREATE FUNCTION release_execution_admission() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE execution_admissions SET released_at = clock_timestamp() WHERE execution_id = NEW.id AND released_at IS NULL;
        RETURN NULL;
      END $$`.execute(db);
    await sql`
      CREATE TRIGGER executions_admission AFTER UPDATE OF status ON executions
      FOR EACH ROW WHEN (NEW.limited AND NEW.completed_at IS NOT NULL) EXECUTE FUNCTION release_execution_admission()`.execute(
      db,
    );
  },
};
