import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A name that an account had is not given to another account: workflows name approvers by username. The refusal is that of a name which is taken. The
 * locks let one transaction at a time give up or take a name; both are taken in one order.
 */
export const formerUsernames: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE former_usernames (
        name text PRIMARY KEY,
        user_id uuid NOT NULL,
        renamed_at timestamptz(3) NOT NULL DEFAULT now()
      )`.execute(db);
    await sql`
      CREATE FUNCTION keep_former_username() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        taken text := lower(NEW.username);
        given_up text := CASE WHEN TG_OP = 'UPDATE' THEN lower(OLD.username) ELSE taken END;
      BEGIN
        IF TG_OP = 'UPDATE' AND taken = given_up THEN
          RETURN NEW;
        END IF;
        PERFORM pg_advisory_xact_lock(hashtextextended('username ' || least(taken, given_up), 0));
        PERFORM pg_advisory_xact_lock(hashtextextended('username ' || greatest(taken, given_up), 0));
        IF EXISTS (SELECT FROM former_usernames WHERE name = taken AND user_id <> NEW.id) THEN
          RAISE EXCEPTION 'another account had this name' USING ERRCODE = 'unique_violation', CONSTRAINT = 'users_username_key';
        END IF;
        IF TG_OP = 'UPDATE' THEN
          INSERT INTO former_usernames (name, user_id) VALUES (given_up, NEW.id) ON CONFLICT (name) DO NOTHING;
        END IF;
        RETURN NEW;
      END $$`.execute(db);
    await sql`
      CREATE TRIGGER users_keep_former_username BEFORE INSERT OR UPDATE OF username ON users
      FOR EACH ROW EXECUTE FUNCTION keep_former_username()`.execute(db);
  },
};
