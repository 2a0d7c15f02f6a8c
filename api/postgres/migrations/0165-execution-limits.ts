import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Executions that a limit of their workflow applies to, each with the keys it is counted under: it waits until it is admitted, and holds its slot from then on
 * until it is released. Slots are counted from these rows, so no counter can differ from them.
 */
export const executionLimits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE executions ADD COLUMN limited boolean NOT NULL DEFAULT false`.execute(db);
    await sql`
      ALTER TABLE workflows ADD COLUMN paused_at timestamptz(3), ADD COLUMN paused_by text, ADD COLUMN pause_reason text`.execute(
      db,
    );
    await sql`
      CREATE TABLE execution_admissions (
        execution_id text PRIMARY KEY,
        workflow_id text NOT NULL,
        seq bigint GENERATED ALWAYS AS IDENTITY,
        slot_key text NOT NULL DEFAULT '',
        rate_key text NOT NULL DEFAULT '',
        priority smallint NOT NULL DEFAULT 0,
        gathers text CHECK (gathers IN ('debounce', 'batch')),
        merge_key text,
        merged integer NOT NULL DEFAULT 0,
        merged_bytes integer NOT NULL DEFAULT 0,
        not_before timestamptz(3),
        retry_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        admitted_at timestamptz(3),
        released_at timestamptz(3)
      ) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05)`.execute(
      db,
    );
    await sql`
      CREATE INDEX execution_admissions_waiting ON execution_admissions (workflow_id, slot_key, rate_key, priority DESC, seq)
      WHERE admitted_at IS NULL AND released_at IS NULL`.execute(db);
    await sql`
      CREATE INDEX execution_admissions_slots ON execution_admissions (workflow_id, slot_key)
      WHERE admitted_at IS NOT NULL AND released_at IS NULL`.execute(db);
    await sql`
      CREATE INDEX execution_admissions_rates ON execution_admissions (workflow_id, rate_key, admitted_at)
      WHERE rate_key <> '' AND admitted_at IS NOT NULL`.execute(db);
    await sql`
      CREATE INDEX execution_admissions_retries ON execution_admissions (retry_at)
      WHERE admitted_at IS NULL AND released_at IS NULL AND retry_at IS NOT NULL`.execute(db);
    await sql`
      CREATE INDEX execution_admissions_merges ON execution_admissions (merge_key)
      WHERE admitted_at IS NULL AND released_at IS NULL AND merge_key IS NOT NULL`.execute(db);
    await sql`
      CREATE TABLE execution_batch_items (
        execution_id text NOT NULL,
        seq bigint GENERATED ALWAYS AS IDENTITY,
        elements text NOT NULL,
        PRIMARY KEY (execution_id, seq)
      )`.execute(db);
  },
};
