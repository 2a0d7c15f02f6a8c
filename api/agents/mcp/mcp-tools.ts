import type { Audit } from '#api/audit/port.ts';
import { secretOwner } from '#api/executions/secrets/secret-owner.ts';
import type { Secrets } from '#api/executions/secrets/secrets.ts';
import { apiError } from '#api/http/api-error.ts';
import type { OutboundFetch } from '#api/outbound/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { readConfig, secretUsesOf } from '../agent-config.ts';
import type { Agents } from '../agents.ts';
import { authorOf, type Requester, requireMay } from '../requester.ts';
import { ToolFailure } from '../run/tool.ts';
import { listMcpConsents, type McpConsent, putMcpConsents } from '../tables/agent-mcp-tools.ts';
import { lockAgent } from '../tables/agents.ts';
import { connectMcp } from './connect.ts';
import { type DescribedTool, toolHash } from './tool-hash.ts';

/** A tool as its server currently describes it. */
export interface ListedMcpTool extends DescribedTool {
  readonly server: string;
  readonly hash: string;
  /**
   * State of the consent. `changed`: description, schema or address differ from those of the consent, so it is invalid.
   */
  readonly consent: 'given' | 'changed' | 'none';
}

export interface McpToolList {
  readonly tools: readonly ListedMcpTool[];
  /** Servers that did not respond correctly. */
  readonly failures: readonly { readonly server: string; readonly message: string }[];
}

/**
 * Tools of servers of the Model Context Protocol, and consents to them. All calls reject with `ApiError` if something
 * does not exist, is forbidden or invalid.
 */
export interface McpTools {
  /** Lists the tools of the configured servers. */
  list(requester: Requester, idOrSlug: string): Promise<McpToolList>;
  /** Replaces the consents. A consent is valid only for a tool with this exact hash. */
  consent(requester: Requester, idOrSlug: string, consents: readonly McpConsent[]): Promise<void>;
}

export function createMcpTools(deps: {
  readonly database: Database;
  readonly agents: Pick<Agents, 'find'>;
  readonly audit: Audit;
  readonly outbound: OutboundFetch;
  readonly secrets: Pick<Secrets, 'readFor'>;
}): McpTools {
  const { database, agents, audit, outbound } = deps;
  return {
    async list(requester, idOrSlug) {
      const agent = await agents.find(requester, idOrSlug);
      // The requests use secrets of the owner.
      requireMay(requester, 'edit', agent);
      const { mcpServers = {} } = readConfig(agent.config);
      const secrets = await deps.secrets.readFor(secretOwner(agent.ownerId), secretUsesOf({ mcpServers }));
      const consents = await listMcpConsents(database, agent.id);
      const listed = await Promise.all(
        Object.entries(mcpServers).map(async ([server, config]) => {
          try {
            const connection = await connectMcp(config, { outbound, secrets });
            const tools = await connection.listTools().finally(() => connection.close());
            return { server, tools: tools.map((tool) => ({ ...tool, hash: toolHash(config.url, tool) })) };
          } catch (error) {
            if (error instanceof ToolFailure) return { server, message: error.message };
            throw error;
          }
        }),
      );
      return {
        tools: listed.flatMap(({ server, tools = [] }) =>
          tools.map((tool) => ({ ...tool, server, consent: consentTo(consents, server, tool) })),
        ),
        failures: listed.flatMap(({ server, message }) => (message === undefined ? [] : [{ server, message }])),
      };
    },

    async consent(requester, idOrSlug, consents) {
      const agent = await agents.find(requester, idOrSlug);
      requireMay(requester, 'edit', agent);
      const { mcpServers = {} } = readConfig(agent.config);
      const unknown = consents.find(({ server }) => !Object.hasOwn(mcpServers, server));
      if (unknown !== undefined)
        throw apiError('invalid_value', `the agent has no MCP server ${JSON.stringify(unknown.server)}`, 'tools');
      const keys = consents.map(({ server, tool }) => `${server}.${tool}`);
      if (new Set(keys).size < keys.length) throw apiError('invalid_value', 'a tool is listed twice', 'tools');
      await inTransaction(database, async (transaction) => {
        await lockAgent(transaction, agent.id, { all: true });
        const before = await listMcpConsents(transaction, agent.id);
        await putMcpConsents(transaction, agent.id, consents, authorOf(requester).actor);
        await audit.record(transaction, {
          actor: authorOf(requester).actor,
          target: `agent:${agent.id}`,
          action: 'agent.update',
          diff: { mcpTools: { before: before.map(textOf), after: consents.map(textOf) } },
          origin: requester.origin,
        });
      });
    },
  };
}

/** Returns the state of the consent to a tool in its current form. */
export function consentTo(
  consents: readonly McpConsent[],
  server: string,
  { name, hash }: { readonly name: string; readonly hash: string },
): ListedMcpTool['consent'] {
  const consent = consents.find((one) => one.server === server && one.tool === name);
  if (consent === undefined) return 'none';
  return consent.hash === hash ? 'given' : 'changed';
}

function textOf({ server, tool, hash }: McpConsent): string {
  return `${server}.${tool} ${hash}`;
}
