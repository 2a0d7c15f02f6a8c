import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the calls of a run in progress came to, so that it continues where it was; and calls of tools that a person decides about. */
export const agentToolCalls: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE agent_run_calls (
        execution_id text NOT NULL REFERENCES executions ON DELETE CASCADE,
        ordinal integer NOT NULL CHECK (ordinal >= 0),
        request_hash text NOT NULL,
        answer json NOT NULL,
        bytes integer NOT NULL,
        PRIMARY KEY (execution_id, ordinal)
      )`.execute(db);
    await sql`
      CREATE TABLE agent_tool_approvals (
        execution_id text NOT NULL REFERENCES executions ON DELETE CASCADE,
        wait text NOT NULL,
        tool text NOT NULL,
        arguments text NOT NULL,
        truncated boolean NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        PRIMARY KEY (execution_id, wait)
      )`.execute(db);
  },
};
