import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Consents to tools of servers of the Model Context Protocol. */
export const agentMcpTools: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE agent_mcp_tools (
        agent_id text NOT NULL REFERENCES agents ON DELETE CASCADE,
        server text NOT NULL,
        tool text NOT NULL,
        hash text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
        consented_by text NOT NULL,
        consented_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (agent_id, server, tool)
      )`.execute(db);
  },
};
