import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Where detections are sent: receivers, the journal of what there is to tell them, and what they refused. */
export const outputs: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // The row is the cursor and the lease too: whoever delivers holds it until `lease_until`, and writes only while `epoch` is his.
    await sql`
      CREATE TABLE outputs (
        id text PRIMARY KEY CHECK (id ~ '^out_[0-9a-f]{32}$'),
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
        type text NOT NULL,
        enabled boolean NOT NULL,
        settings jsonb NOT NULL,
        filter jsonb NOT NULL,
        secrets bytea,
        secret_names text[] NOT NULL DEFAULT '{}',
        version integer NOT NULL DEFAULT 1,
        cursor bigint NOT NULL,
        delivered bigint NOT NULL DEFAULT 0,
        attempts integer NOT NULL DEFAULT 0,
        next_at timestamptz(3) NOT NULL DEFAULT now(),
        epoch bigint NOT NULL DEFAULT 0,
        lease_until timestamptz(3),
        last_error text,
        last_error_at timestamptz(3),
        last_delivered_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        created_by text NOT NULL,
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`.execute(db);
    await sql`CREATE UNIQUE INDEX outputs_name_key ON outputs (lower(name))`.execute(db);
    // Written by one process at a time, so that the numbers become visible in their order: a cursor can't pass one that shows up later.
    await sql`
      CREATE TABLE output_messages (
        seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        detection_id text NOT NULL,
        revision bigint NOT NULL,
        cause text NOT NULL CHECK (cause IN ('opened', 'grown', 'closed')),
        severity text NOT NULL,
        rule text NOT NULL,
        hostname text,
        detection text NOT NULL,
        at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
      )`.execute(db);
    await sql`CREATE INDEX output_messages_age ON output_messages (at)`.execute(db);
    await sql`
      CREATE TABLE output_detections (
        detection_id text PRIMARY KEY,
        revision bigint NOT NULL,
        closed_version integer,
        told_at timestamptz(3) NOT NULL DEFAULT now()
      )`.execute(db);
    await sql`CREATE INDEX output_detections_age ON output_detections (told_at)`.execute(db);
    await sql`
      CREATE TABLE output_dead_letters (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        output_id text NOT NULL REFERENCES outputs ON DELETE CASCADE,
        seq bigint NOT NULL,
        detection_id text NOT NULL,
        revision bigint NOT NULL,
        cause text NOT NULL,
        detection text NOT NULL,
        told_at timestamptz(3) NOT NULL,
        reason text NOT NULL,
        state text NOT NULL DEFAULT 'refused' CHECK (state IN ('refused', 'waiting', 'delivered')),
        at timestamptz(3) NOT NULL DEFAULT now(),
        UNIQUE (output_id, seq)
      )`.execute(db);
    await sql`CREATE INDEX output_dead_letters_waiting ON output_dead_letters (output_id, seq) WHERE state = 'waiting'`.execute(
      db,
    );
    await sql`CREATE INDEX detection_changes_closed ON detection_changes (at) WHERE after ->> 'status' = 'closed'`.execute(
      db,
    );
  },
};
