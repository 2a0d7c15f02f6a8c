import { z } from 'zod';

/** Limits per agent: servers, and consents to their tools. */
export const MCP_LIMITS = { servers: 10, tools: 500 } as const;

/** Part of the names of its tools: `mcp.<server>.<tool>`. */
const serverName = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and dashes');

const serverSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .describe('Endpoint of the server (Streamable HTTP), such as https://tools.example.org/mcp'),
  headers: z
    .record(
      z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be the name of a header'),
      z.strictObject({
        secret: z.string().min(1).max(64).describe("Name of a secret of the agent's owner"),
        prefix: z.string().max(20).describe('Text before the value, such as "Bearer "').optional(),
      }),
    )
    .describe('Headers of every request, each with the value of a secret')
    .optional(),
});
export type McpServerConfig = z.output<typeof serverSchema>;

/** Servers of the Model Context Protocol whose tools an agent may use. */
export const mcpServersSchema = z
  .record(serverName, serverSchema)
  .refine((servers) => Object.keys(servers).length <= MCP_LIMITS.servers, `at most ${MCP_LIMITS.servers} servers`)
  .describe(
    'Servers of the Model Context Protocol. Each of their tools needs a consent before the agent can use it: PUT …/mcp-tools',
  );
export type McpServers = z.output<typeof mcpServersSchema>;
