import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Workflows and their released versions, and the secrets that definitions name. A released version never changes and never goes: an execution
 * from last year still tells what it ran.
 */
export const workflows: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE workflows (
        id text PRIMARY KEY CHECK (id ~ '^wf_[0-9A-Za-z]{20}$'),
        slug text NOT NULL CHECK (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
        kind text NOT NULL CHECK (kind IN ('workflow', 'block')),
        owner_id uuid REFERENCES users,
        visibility text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'shared')),
        current_version_id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT workflows_slug_key UNIQUE (slug)
      )`.execute(db);
    await sql`CREATE INDEX workflows_owner ON workflows (owner_id, created_at)`.execute(db);
    await sql`
      CREATE TABLE workflow_versions (
        id text PRIMARY KEY CHECK (id ~ '^wfh_[0-9A-Za-z]{20}$'),
        workflow_id text NOT NULL REFERENCES workflows,
        number integer NOT NULL CHECK (number > 0),
        tag text NOT NULL CHECK (length(tag) BETWEEN 1 AND 64),
        yaml_content text NOT NULL,
        definition jsonb NOT NULL,
        content_hash text NOT NULL CHECK (content_hash ~ '^[0-9a-f]{64}$'),
        notes text CHECK (length(notes) <= 4000),
        created_by text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT workflow_versions_number_key UNIQUE (workflow_id, number),
        CONSTRAINT workflow_versions_tag_key UNIQUE (workflow_id, tag),
        CONSTRAINT workflow_versions_of_workflow_key UNIQUE (workflow_id, id)
      )`.execute(db);
    // A version and the workflow it is current in come in one transaction; whichever comes first, both are there at its end.
    await sql`
      ALTER TABLE workflows ADD CONSTRAINT workflows_current_version FOREIGN KEY (id, current_version_id)
      REFERENCES workflow_versions (workflow_id, id) DEFERRABLE INITIALLY DEFERRED`.execute(db);
    await sql`
      CREATE FUNCTION refuse_version_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'a released version of a workflow does not change' USING ERRCODE = 'insufficient_privilege';
      END $$`.execute(db);
    await sql`
      CREATE TRIGGER workflow_versions_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON workflow_versions
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_version_change()`.execute(db);
    await sql`
      CREATE TABLE execution_secrets (
        owner text NOT NULL CHECK (owner = 'operator' OR owner ~ '^[0-9a-f-]{36}$'),
        name text NOT NULL CHECK (name ~ '^[A-Za-z_][A-Za-z0-9_-]{0,63}$'),
        sealed bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (owner, name)
      )`.execute(db);
  },
};
