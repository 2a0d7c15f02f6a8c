import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What makes executions begin without anybody's call: schedules and events, which follow from the current version of a workflow, and webhooks, which its
 * owner opens. An occurrence is one cause; there is one row and one execution for each.
 */
export const triggers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE workflow_triggers (
        id text PRIMARY KEY CHECK (id ~ '^trg_[0-9A-Za-z]{20}$'),
        workflow_id text NOT NULL REFERENCES workflows,
        kind text NOT NULL CHECK (kind IN ('schedule', 'after', 'event', 'webhook')),
        lane uuid NOT NULL,
        spec json NOT NULL,
        event_types text[] NOT NULL DEFAULT '{}',
        secret bytea,
        enabled boolean NOT NULL DEFAULT true,
        problem text,
        next_at timestamptz(3),
        last_at timestamptz(3),
        missed bigint NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT workflow_triggers_kind_key UNIQUE (workflow_id, kind),
        CHECK ((kind = 'webhook') = (secret IS NOT NULL))
      )`.execute(db);
    await sql`CREATE INDEX workflow_triggers_due ON workflow_triggers (next_at) WHERE enabled AND next_at IS NOT NULL`.execute(
      db,
    );
    await sql`CREATE INDEX workflow_triggers_after ON workflow_triggers (id) WHERE enabled AND kind = 'after'`.execute(
      db,
    );
    await sql`CREATE INDEX workflow_triggers_events ON workflow_triggers USING gin (event_types) WHERE enabled AND kind = 'event'`.execute(
      db,
    );
    // The version of a workflow whose triggers are set.
    await sql`
      CREATE TABLE workflow_trigger_versions (
        workflow_id text PRIMARY KEY REFERENCES workflows,
        version_id text NOT NULL
      )`.execute(db);
    await sql`
      CREATE TABLE trigger_occurrences (
        trigger_id text NOT NULL REFERENCES workflow_triggers ON DELETE CASCADE,
        occurrence text NOT NULL,
        execution_id text,
        at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (trigger_id, occurrence)
      )`.execute(db);
    await sql`CREATE INDEX trigger_occurrences_age ON trigger_occurrences (at)`.execute(db);
    // Events for triggers, noted by the database as they come in: whoever stores an event can't forget it.
    await sql`
      CREATE TABLE trigger_inbox (
        trigger_id text NOT NULL REFERENCES workflow_triggers ON DELETE CASCADE,
        event_seq bigint NOT NULL,
        PRIMARY KEY (event_seq, trigger_id)
      )`.execute(db);
    await sql`
      CREATE FUNCTION note_event_for_triggers() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO trigger_inbox (trigger_id, event_seq)
        SELECT t.id, NEW.seq FROM workflow_triggers AS t
        WHERE t.enabled AND t.kind = 'event' AND t.event_types && ARRAY[NEW.type, '*'] AND (NEW.lane IS NULL OR NEW.lane = t.lane);
        RETURN NULL;
      END $$`.execute(db);
    await sql`
      CREATE TRIGGER execution_events_for_triggers AFTER INSERT ON execution_events
      FOR EACH ROW EXECUTE FUNCTION note_event_for_triggers()`.execute(db);
    // Of a trigger that needs several events: those that are there.
    await sql`
      CREATE TABLE trigger_gathered (
        trigger_id text NOT NULL REFERENCES workflow_triggers ON DELETE CASCADE,
        filter smallint NOT NULL,
        event_seq bigint NOT NULL,
        learned json NOT NULL,
        event json NOT NULL,
        PRIMARY KEY (trigger_id, filter, event_seq)
      )`.execute(db);
    await sql`
      CREATE TABLE detection_causes (
        detection_id text PRIMARY KEY,
        opened_revision bigint NOT NULL,
        told_revision bigint NOT NULL,
        told_at timestamptz(3) NOT NULL DEFAULT now()
      )`.execute(db);
    await sql`CREATE INDEX detection_causes_age ON detection_causes (told_at)`.execute(db);
  },
};
