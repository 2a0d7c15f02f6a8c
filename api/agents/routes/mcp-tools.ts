import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { MCP_LIMITS } from '../mcp/mcp-config.ts';
import { AGENT_ERRORS, AGENT_TAGS, type AgentRouteDeps, agentParams, requesterOf, WRITE } from './deps.ts';

const toolSchema = z.object({
  server: z.string().describe('Name in the configuration'),
  name: z.string(),
  description: z.string().describe('Description that the model reads. Untrusted: the server wrote it'),
  inputSchema: z.unknown().describe('JSON Schema of its arguments'),
  hash: z.string().describe('SHA-256 of address, name, description and schema'),
  consent: z
    .enum(['given', 'changed', 'none'])
    .describe('changed: the tool changed after the consent, so the agent does not use it'),
});

/** GET and PUT /api/v1/agents/:agentId/mcp-tools. */
export function mcpToolRoutes(app: ApiServer, { mcpTools }: AgentRouteDeps): void {
  app.get(
    '/api/v1/agents/:agentId/mcp-tools',
    {
      config: WRITE,
      schema: {
        operationId: 'listAgentMcpTools',
        summary: 'List tools of MCP servers',
        description:
          'Lists the tools of the configured servers (`mcpServers`), using secrets of the owner. Runs use tools that have a consent and that the permissions allow; their names are `mcp.<server>.<tool>`.',
        tags: AGENT_TAGS,
        params: agentParams,
        response: {
          200: z
            .object({
              data: z.array(toolSchema),
              failures: z.array(z.object({ server: z.string(), message: z.string() })).describe('Servers that failed'),
            })
            .describe('The tools.'),
          ...AGENT_ERRORS,
        },
      },
    },
    async (request) => {
      const { tools, failures } = await mcpTools.list(requesterOf(request), request.params.agentId);
      return { data: tools.map((tool) => ({ ...tool })), failures: failures.map((one) => ({ ...one })) };
    },
  );

  app.put(
    '/api/v1/agents/:agentId/mcp-tools',
    {
      config: WRITE,
      schema: {
        operationId: 'consentToAgentMcpTools',
        summary: 'Consent to tools of MCP servers',
        description:
          'Replaces the consents of the agent. A consent contains the hash of the tool. It becomes invalid when the server changes the description or schema, or when the address changes.',
        tags: AGENT_TAGS,
        params: agentParams,
        body: z.strictObject({
          tools: z
            .array(
              z.strictObject({
                server: storableText(40),
                tool: storableText(64),
                hash: z.string().regex(/^[0-9a-f]{64}$/, 'must be the hash of the list'),
              }),
            )
            .max(MCP_LIMITS.tools),
        }),
        response: { 200: z.object({ ok: z.literal(true) }).describe('They are stored.'), ...AGENT_ERRORS },
      },
    },
    async (request) => {
      await mcpTools.consent(requesterOf(request), request.params.agentId, request.body.tools);
      return { ok: true as const };
    },
  );
}
