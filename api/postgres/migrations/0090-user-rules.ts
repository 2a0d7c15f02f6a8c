import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Detection rules that administrators write: which version is current, and every version as it was pushed. */
export const userRules: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE user_rules (
        id text PRIMARY KEY CHECK (id ~ '^user-[a-z0-9-]+$' AND length(id) <= 100),
        version integer NOT NULL CHECK (version > 0),
        revision integer NOT NULL CHECK (revision > 0),
        enabled boolean NOT NULL,
        changed_at timestamptz(3) NOT NULL DEFAULT now(),
        changed_by text NOT NULL
      )`.execute(db);
    await sql`
      CREATE TABLE user_rule_versions (
        rule text NOT NULL REFERENCES user_rules,
        version integer NOT NULL CHECK (version > 0),
        source text NOT NULL CHECK (length(source) BETWEEN 1 AND 65536),
        sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
        pushed_at timestamptz(3) NOT NULL DEFAULT now(),
        pushed_by text NOT NULL,
        PRIMARY KEY (rule, version)
      )`.execute(db);
    await sql`
      CREATE FUNCTION refuse_user_rule_version_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'versions of user rules are append-only';
      END $$`.execute(db);
    await sql`
      CREATE TRIGGER user_rule_versions_append_only BEFORE UPDATE OR DELETE ON user_rule_versions
      FOR EACH ROW EXECUTE FUNCTION refuse_user_rule_version_change()`.execute(db);
  },
};
