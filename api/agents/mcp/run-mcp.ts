import { z } from 'zod';
import { isObject } from '#api/executions/engine/interpreter/json.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { OutboundFetch } from '#api/outbound/port.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { type Tool, ToolFailure } from '../run/tool.ts';
import type { McpConsent } from '../tables/agent-mcp-tools.ts';
import { connectMcp, type McpConnection } from './connect.ts';
import type { McpServers } from './mcp-config.ts';
import { consentTo } from './mcp-tools.ts';
import { type DescribedTool, toolHash } from './tool-hash.ts';

/** Maximum size of the arguments of one call, as JSON. */
const MAX_ARGUMENT_CHARACTERS = 262_144;
const anyObject = z.record(z.string(), z.unknown());

/** The tools of one run from servers of the Model Context Protocol. */
export interface RunMcp {
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

/**
 * Connects to the servers of tools with a consent. Omits tools that have changed since, and servers that do not
 * respond. Reports both to `issue`.
 */
export async function openRunMcp(
  servers: McpServers | undefined,
  consents: readonly McpConsent[],
  deps: {
    readonly outbound: OutboundFetch;
    readonly secrets: ReadonlyMap<string, string>;
    readonly issue: (text: string) => void;
    /** Span of the run in the distributed trace. */
    readonly span?: TraceContext | undefined;
  },
): Promise<RunMcp> {
  const connections: McpConnection[] = [];
  const wanted = Object.entries(servers ?? {}).filter(([name]) => consents.some(({ server }) => server === name));
  const found = await Promise.all(
    wanted.map(async ([server, config]) => {
      try {
        const connection = await connectMcp(config, deps);
        connections.push(connection);
        const listed = await connection.listTools();
        return listed.flatMap((tool) => {
          const consent = consentTo(consents, server, { name: tool.name, hash: toolHash(config.url, tool) });
          if (consent === 'changed')
            deps.issue(
              `the tool ${tool.name} of the MCP server ${server} has changed since the consent to it; it was left out`,
            );
          return consent === 'given' ? [toolOf(server, tool, connection)] : [];
        });
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error;
        deps.issue(`the MCP server ${server} was left out: ${error.message}`);
        return [];
      }
    }),
  );
  return {
    tools: found.flat(),
    close: async () => void (await Promise.all(connections.map((connection) => connection.close()))),
  };
}

function toolOf(server: string, { name, description, inputSchema }: DescribedTool, connection: McpConnection): Tool {
  const check = (given: JsonValue): { readonly [name: string]: JsonValue } => {
    if (!isObject(given ?? {})) throw new ToolFailure('arguments: must be an object');
    if (JSON.stringify(given ?? {}).length > MAX_ARGUMENT_CHARACTERS)
      throw new ToolFailure(`arguments: must have at most ${MAX_ARGUMENT_CHARACTERS} characters of JSON`);
    return (given ?? {}) as { readonly [name: string]: JsonValue };
  };
  return {
    name: `mcp.${server}.${name}`,
    description,
    arguments: anyObject,
    argumentSchema: inputSchema as object,
    check,
    call: (given, signal) => connection.call(name, check(given), signal),
  };
}
