import type { Generated } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    agentMcpTools: AgentMcpToolsTable;
  }
}

/** A consent to a tool of a server of the Model Context Protocol, in the form of the tool at that time. */
export interface AgentMcpToolsTable {
  agentId: string;
  server: string;
  tool: string;
  /** See `toolHash`. */
  hash: string;
  consentedBy: string;
  consentedAt: Generated<Date>;
}

export interface McpConsent {
  readonly server: string;
  readonly tool: string;
  readonly hash: string;
}

export function listMcpConsents(db: Db, agentId: string): Promise<McpConsent[]> {
  return db
    .selectFrom('agentMcpTools')
    .select(['server', 'tool', 'hash'])
    .where('agentId', '=', agentId)
    .orderBy('server')
    .orderBy('tool')
    .execute();
}

/** Replaces all consents of an agent. */
export async function putMcpConsents(
  transaction: Db,
  agentId: string,
  consents: readonly McpConsent[],
  consentedBy: string,
): Promise<void> {
  await transaction.deleteFrom('agentMcpTools').where('agentId', '=', agentId).execute();
  if (consents.length === 0) return;
  await transaction
    .insertInto('agentMcpTools')
    .values(consents.map((consent) => ({ ...consent, agentId, consentedBy })))
    .execute();
}
