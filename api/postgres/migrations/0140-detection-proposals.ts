import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Changes of decisions about detections that an assistant proposes and an analyst accepts or declines. */
export const detectionProposals: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE detection_proposals (
        id text PRIMARY KEY CHECK (id ~ '^prop_[0-9a-f]{32}$'),
        detection_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        actor text NOT NULL,
        username text,
        change jsonb NOT NULL,
        reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
        state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'declined', 'replaced')),
        decided_at timestamptz,
        decided_by text,
        decided_username text,
        CHECK ((state = 'open') = (decided_at IS NULL))
      )`.execute(db);
    await sql`CREATE INDEX detection_proposals_detection ON detection_proposals (detection_id, created_at DESC)`.execute(
      db,
    );
    await sql`CREATE UNIQUE INDEX detection_proposals_open ON detection_proposals (detection_id, actor) WHERE state = 'open'`.execute(
      db,
    );
  },
};
