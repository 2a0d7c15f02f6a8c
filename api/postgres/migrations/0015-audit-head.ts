import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The newest entry of the audit log, in a second place: what is cut off the end of the log is missed there, and whoever adds an entry waits
 * for the one before. The database itself moves it on, with each entry and only then; the entry has to follow the one before.
 *
 * The diff becomes `json`, which keeps the text as it was written: that text is what the hash covers.
 */
export const auditHead: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE audit_log ALTER COLUMN diff TYPE json USING diff::json`.execute(db);
    await sql`
      CREATE TABLE audit_head (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        id bigint NOT NULL,
        hash bytea NOT NULL
      ) WITH (fillfactor = 50)`.execute(db);
    await sql`INSERT INTO audit_head (id, hash) VALUES (0, decode(repeat('00', 32), 'hex'))`.execute(db);
    await sql`
      CREATE FUNCTION advance_audit_head() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE audit_head SET id = NEW.id, hash = NEW.hash WHERE id = NEW.id - 1 AND hash = NEW.previous_hash;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'entry % does not follow the last one of the audit log', NEW.id USING ERRCODE = 'insufficient_privilege';
        END IF;
        RETURN NEW;
      END $$`.execute(db);
    await sql`
      CREATE TRIGGER audit_log_chain BEFORE INSERT ON audit_log
      FOR EACH ROW EXECUTE FUNCTION advance_audit_head()`.execute(db);
    await sql`
      CREATE FUNCTION refuse_audit_head_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        -- The UPDATE of advance_audit_head() fires this as the second trigger deep.
        IF TG_OP <> 'UPDATE' OR pg_trigger_depth() < 2 THEN
          RAISE EXCEPTION 'the head of the audit log moves with its entries only' USING ERRCODE = 'insufficient_privilege';
        END IF;
        RETURN NULL;
      END $$`.execute(db);
    await sql`
      CREATE TRIGGER audit_head_guard BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON audit_head
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_head_change()`.execute(db);
    // UPDATE stays: the trigger runs with the rights of who inserts.
    await sql`REVOKE INSERT, DELETE, TRUNCATE ON audit_head FROM CURRENT_USER, PUBLIC`.execute(db);
    // Rows of a queue change several times and go: left to the usual share of the table they would wait for a long time to be cleared away.
    await sql`ALTER TABLE jobs SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500)`.execute(
      db,
    );
  },
};
