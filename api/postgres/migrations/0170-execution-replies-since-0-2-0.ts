import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Events for one execution alone, which start no other, and its replies to them. */
export const executionReplies: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE execution_replies (
        execution_id text NOT NULL,
        event_id text NOT NULL,
        source text NOT NULL,
        event json,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        replied_at timestamptz(3),
        PRIMARY KEY (execution_id, event_id)
      )`.execute(db);
    await sql`
      CREATE OR REPLACE FUNCTION note_event_for_triggers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO trigger_inbox (trigger_id, event_seq)
        SELECT t.id, NEW.seq FROM workflow_triggers AS t
        WHERE t.enabled AND t.kind = 'event' AND t.event_types && ARRAY[NEW.type, '*'] AND (NEW.lane IS NULL OR NEW.lane = t.lane)
          AND NEW.type NOT LIKE 'trapline.signal:%';
        RETURN NULL;
      END $$`.execute(db);
  },
};
