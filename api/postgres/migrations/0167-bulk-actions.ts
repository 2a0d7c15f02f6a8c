import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Cancellations and replays of many executions of a workflow; each execution that was chosen is an item, so that the count is what was confirmed. */
export const bulkActions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE workflow_bulk_actions (
        id text PRIMARY KEY,
        workflow_id text NOT NULL,
        action text NOT NULL CHECK (action IN ('cancel', 'replay')),
        latest_version boolean NOT NULL DEFAULT false,
        filters jsonb NOT NULL,
        actor text NOT NULL,
        owner_id uuid,
        request_id text,
        total integer NOT NULL,
        done integer NOT NULL DEFAULT 0,
        skipped integer NOT NULL DEFAULT 0,
        problem text,
        status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'stopping', 'stopped', 'completed')),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        ended_at timestamptz(3)
      )`.execute(db);
    await sql`CREATE INDEX workflow_bulk_actions_workflow ON workflow_bulk_actions (workflow_id, created_at DESC)`.execute(
      db,
    );
    await sql`CREATE UNIQUE INDEX workflow_bulk_actions_one ON workflow_bulk_actions (workflow_id) WHERE ended_at IS NULL`.execute(
      db,
    );
    await sql`
      CREATE TABLE workflow_bulk_items (
        action_id text NOT NULL,
        seq integer NOT NULL,
        execution_id text NOT NULL,
        PRIMARY KEY (action_id, seq)
      )`.execute(db);
  },
};
