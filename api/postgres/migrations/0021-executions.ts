import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Executions of workflows and agents, claimed by leases, with their steps, timers, waits and signals. What was taken in is `json`, not `jsonb`:
 * it is kept as it came, and `\u0000` in a string of it is nobody's failure. There are no foreign keys: retention takes an execution with all
 * that belongs to it, and a step is written too often to look its execution up again.
 */
export const executions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE executions (
        id text PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('workflow', 'agent')),
        workflow_id text,
        version_id text,
        agent_id text,
        owner_id uuid,
        lane uuid NOT NULL GENERATED ALWAYS AS (coalesce(owner_id, '00000000-0000-0000-0000-000000000000'::uuid)) STORED,
        status text NOT NULL,
        priority smallint NOT NULL DEFAULT 0,
        turn bigint NOT NULL DEFAULT 0,
        queued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        concurrency_key text,
        cause text,
        trigger_type text NOT NULL,
        trigger_input json,
        trigger_input_file text,
        overrides json,
        metadata json,
        state json,
        state_file text,
        result json,
        result_file text,
        error json,
        epoch integer NOT NULL DEFAULT 0,
        losses integer NOT NULL DEFAULT 0,
        worker text,
        lease_until timestamptz(3),
        wake_at timestamptz(3),
        cancel_requested_at timestamptz(3),
        parent_id text,
        parent_step text,
        parent_attempt integer,
        awaited boolean NOT NULL DEFAULT false,
        parent_told boolean NOT NULL DEFAULT false,
        root_id text NOT NULL,
        depth smallint NOT NULL DEFAULT 0,
        source_execution_id text,
        replay_from text,
        example_id text,
        example_name text,
        batch_id text,
        request_id text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        started_at timestamptz(3),
        completed_at timestamptz(3),
        CHECK ((kind = 'workflow' AND workflow_id IS NOT NULL AND version_id IS NOT NULL) OR (kind = 'agent' AND agent_id IS NOT NULL)),
        CHECK ((status IN ('running', 'finalizing')) = (lease_until IS NOT NULL)),
        CHECK ((status IN ('completed', 'failed', 'cancelled', 'rejected')) = (completed_at IS NOT NULL))
      ) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05)`.execute(
      db,
    );
    await sql`CREATE INDEX executions_pending ON executions (priority DESC, turn, queued_at) WHERE status = 'pending'`.execute(
      db,
    );
    await sql`CREATE INDEX executions_lanes ON executions (lane, priority DESC, turn, queued_at) WHERE status = 'pending'`.execute(
      db,
    );
    // Not on the lease itself: what is in no index is renewed within its page.
    await sql`CREATE INDEX executions_held ON executions (id) WHERE status IN ('running', 'finalizing')`.execute(db);
    await sql`CREATE INDEX executions_wakes ON executions (wake_at) WHERE status = 'waiting' AND wake_at IS NOT NULL`.execute(
      db,
    );
    await sql`CREATE INDEX executions_to_cancel ON executions (id) WHERE status = 'waiting' AND cancel_requested_at IS NOT NULL`.execute(
      db,
    );
    // Of those with one key, one has the right to run.
    await sql`
      CREATE UNIQUE INDEX executions_key_holder ON executions (concurrency_key)
      WHERE concurrency_key IS NOT NULL AND status IN ('pending', 'running', 'waiting', 'finalizing')`.execute(db);
    await sql`CREATE INDEX executions_key_queue ON executions (concurrency_key, priority DESC, id) WHERE status = 'created'`.execute(
      db,
    );
    await sql`CREATE UNIQUE INDEX executions_cause ON executions (cause) WHERE cause IS NOT NULL`.execute(db);
    await sql`CREATE UNIQUE INDEX executions_children ON executions (parent_id, parent_step, parent_attempt) WHERE parent_id IS NOT NULL`.execute(
      db,
    );
    await sql`
      CREATE INDEX executions_parents_to_tell ON executions (id)
      WHERE awaited AND NOT parent_told AND completed_at IS NOT NULL`.execute(db);
    // Lists: newest first, of one workflow or agent, and by status.
    await sql`CREATE INDEX executions_workflow ON executions (workflow_id, created_at DESC, id DESC) WHERE kind = 'workflow'`.execute(
      db,
    );
    await sql`CREATE INDEX executions_workflow_status ON executions (workflow_id, status, created_at DESC, id DESC) WHERE kind = 'workflow'`.execute(
      db,
    );
    await sql`CREATE INDEX executions_agent ON executions (agent_id, created_at DESC, id DESC) WHERE kind = 'agent'`.execute(
      db,
    );
    await sql`CREATE INDEX executions_agent_status ON executions (agent_id, status, created_at DESC, id DESC) WHERE kind = 'agent'`.execute(
      db,
    );
    await sql`CREATE INDEX executions_batch ON executions (batch_id) WHERE batch_id IS NOT NULL`.execute(db);
    await sql`CREATE INDEX executions_example ON executions (workflow_id, example_id) WHERE example_id IS NOT NULL`.execute(
      db,
    );
    await sql`CREATE INDEX executions_completed ON executions (completed_at) WHERE completed_at IS NOT NULL`.execute(
      db,
    );

    await sql`
      CREATE TABLE execution_transitions (from_status text NOT NULL, to_status text NOT NULL, PRIMARY KEY (from_status, to_status))`.execute(
      db,
    );
    await sql`
      INSERT INTO execution_transitions (from_status, to_status) VALUES
        ('created', 'pending'), ('created', 'cancelled'), ('created', 'rejected'),
        ('pending', 'running'), ('pending', 'cancelled'), ('pending', 'rejected'),
        ('running', 'waiting'), ('running', 'pending'), ('running', 'finalizing'), ('running', 'completed'), ('running', 'failed'), ('running', 'cancelled'), ('running', 'rejected'),
        ('waiting', 'pending'), ('waiting', 'cancelled'),
        ('finalizing', 'pending'), ('finalizing', 'completed'), ('finalizing', 'failed'), ('finalizing', 'cancelled')`.execute(
      db,
    );
    // Every change of status, as the database itself saw it.
    await sql`
      CREATE TABLE execution_changes (
        execution_id text NOT NULL,
        seq bigint NOT NULL,
        from_status text,
        to_status text NOT NULL,
        worker text,
        at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (execution_id, seq)
      )`.execute(db);
    await sql`CREATE SEQUENCE execution_trace_seq CACHE 1`.execute(db);
    await sql`
      CREATE FUNCTION check_execution_transition() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          IF NOT NEW.status = ANY (TG_ARGV) THEN
            RAISE EXCEPTION 'an execution can not begin as %', NEW.status USING ERRCODE = 'check_violation', CONSTRAINT = 'execution_transitions';
          END IF;
          INSERT INTO execution_changes (execution_id, seq, to_status) VALUES (NEW.id, nextval('execution_trace_seq'), NEW.status);
          RETURN NEW;
        END IF;
        IF NOT EXISTS (SELECT FROM execution_transitions WHERE from_status = OLD.status AND to_status = NEW.status) THEN
          RAISE EXCEPTION 'an execution can not go from % to %', OLD.status, NEW.status USING ERRCODE = 'check_violation', CONSTRAINT = 'execution_transitions';
        END IF;
        INSERT INTO execution_changes (execution_id, seq, from_status, to_status, worker)
          VALUES (NEW.id, nextval('execution_trace_seq'), OLD.status, NEW.status, NEW.worker);
        RETURN NEW;
      END $$`.execute(db);
    await sql`
      CREATE TRIGGER executions_begin AFTER INSERT ON executions
      FOR EACH ROW EXECUTE FUNCTION check_execution_transition('created', 'pending')`.execute(db);
    await sql`
      CREATE TRIGGER executions_transition AFTER UPDATE OF status ON executions
      FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION check_execution_transition()`.execute(
      db,
    );

    await sql`
      CREATE TABLE execution_steps (
        execution_id text NOT NULL,
        step text NOT NULL,
        attempt integer NOT NULL,
        name text NOT NULL,
        kind text NOT NULL,
        status text NOT NULL CHECK (status IN ('running', 'waiting', 'completed', 'failed', 'cancelled', 'skipped')),
        input json,
        input_file text,
        output json,
        output_file text,
        error json,
        began bigint NOT NULL,
        changed bigint NOT NULL,
        started_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        PRIMARY KEY (execution_id, step, attempt)
      ) WITH (fillfactor = 90)`.execute(db);
    await sql`
      CREATE TABLE execution_timers (
        execution_id text NOT NULL,
        timer text NOT NULL,
        fire_at timestamptz(3) NOT NULL,
        fired_at timestamptz(3),
        PRIMARY KEY (execution_id, timer)
      )`.execute(db);
    await sql`
      CREATE TABLE execution_waits (
        execution_id text NOT NULL,
        wait text NOT NULL,
        step text NOT NULL,
        mode text NOT NULL CHECK (mode IN ('all', 'any', 'one')),
        filters json NOT NULL,
        event_types text[] NOT NULL,
        lane uuid NOT NULL,
        searched boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (execution_id, wait)
      )`.execute(db);
    await sql`CREATE INDEX execution_waits_types ON execution_waits USING gin (event_types)`.execute(db);
    await sql`CREATE INDEX execution_waits_to_search ON execution_waits (execution_id) WHERE NOT searched`.execute(db);
    await sql`
      CREATE TABLE execution_events (
        seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        source text NOT NULL,
        event_id text NOT NULL,
        type text NOT NULL,
        lane uuid,
        event json NOT NULL,
        routed boolean NOT NULL DEFAULT false,
        received_at timestamptz(3) NOT NULL DEFAULT now()
      )`.execute(db);
    await sql`
      CREATE UNIQUE INDEX execution_events_identity ON execution_events
      (source, event_id, lane) NULLS NOT DISTINCT`.execute(db);
    await sql`CREATE INDEX execution_events_to_route ON execution_events (seq) WHERE NOT routed`.execute(db);
    await sql`CREATE INDEX execution_events_type ON execution_events (type, seq)`.execute(db);
    await sql`CREATE INDEX execution_events_age ON execution_events (received_at)`.execute(db);
    await sql`
      CREATE TABLE execution_signals (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        execution_id text NOT NULL,
        kind text NOT NULL CHECK (kind IN ('event', 'child')),
        target text NOT NULL,
        attempt integer,
        event_seq bigint,
        payload json NOT NULL,
        delivered boolean NOT NULL DEFAULT false,
        consumed boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`.execute(db);
    await sql`
      CREATE UNIQUE INDEX execution_signals_once ON execution_signals (execution_id, kind, target, event_seq, attempt) NULLS NOT DISTINCT`.execute(
      db,
    );
    await sql`CREATE INDEX execution_signals_waiting ON execution_signals (execution_id, id) WHERE NOT delivered`.execute(
      db,
    );
    await sql`
      CREATE TABLE execution_idempotency (
        caller text NOT NULL,
        key text NOT NULL,
        body_hash text NOT NULL,
        execution_id text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (caller, key)
      )`.execute(db);
    await sql`CREATE INDEX execution_idempotency_age ON execution_idempotency (created_at)`.execute(db);
  },
};
