import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Requests of analysts for exceptions, the decisions of administrators about them, and whether analysts need one. */
export const exceptionRequests: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE exception_policy (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        analysts text NOT NULL DEFAULT 'request' CHECK (analysts IN ('create', 'request')),
        version integer NOT NULL DEFAULT 0,
        changed_at timestamptz NOT NULL DEFAULT now(),
        changed_by text NOT NULL DEFAULT 'system'
      )`.execute(db);
    await sql`INSERT INTO exception_policy DEFAULT VALUES`.execute(db);
    await sql`
      CREATE TABLE exception_requests (
        id text PRIMARY KEY CHECK (id ~ '^exr_[0-9a-f]{32}$'),
        hostname text,
        program text,
        file text,
        rule text,
        expires text,
        reason text NOT NULL,
        detection_id text,
        created_at timestamptz NOT NULL DEFAULT now(),
        requested_by text NOT NULL,
        requester text NOT NULL,
        requester_name text,
        state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'approved', 'rejected', 'withdrawn')),
        decided_at timestamptz,
        decided_by text,
        decided_by_name text,
        decision_reason text,
        exception_id text,
        CHECK ((state = 'open') = (decided_at IS NULL)),
        CHECK ((state = 'approved') = (exception_id IS NOT NULL))
      )`.execute(db);
    await sql`CREATE INDEX exception_requests_newest ON exception_requests (created_at DESC, id DESC)`.execute(db);
    await sql`CREATE INDEX exception_requests_open ON exception_requests (requester) WHERE state = 'open'`.execute(db);
    await sql`ALTER TABLE detection_exceptions ADD COLUMN request_id text`.execute(db);
  },
};
