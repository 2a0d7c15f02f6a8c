import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The audit log. Rows can be added and read, nothing else: the privileges are taken away, from the owner too, and a trigger refuses whoever
 * gives them back to himself.
 */
export const auditLog: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE audit_log (
        id bigint PRIMARY KEY CHECK (id > 0),
        at timestamptz(3) NOT NULL,
        actor text NOT NULL,
        target text NOT NULL,
        action text NOT NULL,
        diff jsonb NOT NULL,
        ip text NOT NULL,
        user_agent text NOT NULL,
        request_id text NOT NULL,
        previous_hash bytea NOT NULL,
        hash bytea NOT NULL
      )`.execute(db);
    await sql`CREATE INDEX audit_log_actor ON audit_log (actor, id)`.execute(db);
    await sql`CREATE INDEX audit_log_target ON audit_log (target, id)`.execute(db);
    await sql`CREATE INDEX audit_log_action ON audit_log (action, id)`.execute(db);
    await sql`CREATE INDEX audit_log_at ON audit_log (at)`.execute(db);
    await sql`
      CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
      END $$`.execute(db);
    await sql`
      CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`.execute(db);
    await sql`REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM CURRENT_USER, PUBLIC`.execute(db);
  },
};
