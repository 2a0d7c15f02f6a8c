import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What analysts decide about detections, and what administrators set of rules and exceptions. */
export const detectionWork: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE detection_triage (
        detection_id text PRIMARY KEY CHECK (detection_id ~ '^det_[0-9a-f]{32}$'),
        version integer NOT NULL DEFAULT 0 CHECK (version >= 0),
        status text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'acknowledged', 'closed')),
        verdict text CHECK (verdict IN ('true_positive', 'false_positive', 'benign')),
        assignee text CHECK (length(assignee) <= 64),
        note text CHECK (length(note) <= 4000),
        changed_at timestamptz(3) NOT NULL DEFAULT now(),
        landed boolean NOT NULL DEFAULT true
      )`.execute(db);
    await sql`CREATE INDEX detection_triage_waiting ON detection_triage (changed_at) WHERE NOT landed`.execute(db);
    await sql`
      CREATE TABLE detection_changes (
        detection_id text NOT NULL REFERENCES detection_triage,
        version integer NOT NULL,
        at timestamptz(3) NOT NULL,
        actor text NOT NULL,
        username text,
        before jsonb NOT NULL,
        after jsonb NOT NULL,
        PRIMARY KEY (detection_id, version)
      )`.execute(db);
    await sql`
      CREATE TABLE rule_settings (
        rule text PRIMARY KEY,
        version integer NOT NULL CHECK (version > 0),
        settings jsonb NOT NULL,
        changed_at timestamptz(3) NOT NULL DEFAULT now(),
        changed_by text NOT NULL
      )`.execute(db);
    await sql`
      CREATE TABLE detection_exceptions (
        id text PRIMARY KEY CHECK (id ~ '^exc_[0-9a-f]{32}$'),
        hostname text,
        program text,
        file text,
        rule text,
        expires text,
        reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
        detection_id text,
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        created_by text NOT NULL,
        ended_at timestamptz(3),
        ended_by text
      )`.execute(db);
    await sql`CREATE INDEX detection_exceptions_held ON detection_exceptions (created_at, id) WHERE ended_at IS NULL`.execute(
      db,
    );
    await sql`
      CREATE TABLE detection_settings_head (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        version bigint NOT NULL DEFAULT 0
      )`.execute(db);
    await sql`INSERT INTO detection_settings_head DEFAULT VALUES`.execute(db);
  },
};
