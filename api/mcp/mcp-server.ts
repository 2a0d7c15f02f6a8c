import { McpServer } from '@modelcontextprotocol/server';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import { ApiCallFailure, type CallApi, type McpTool, type ToolEffect } from './tool.ts';
import { answerSchema, toolAnswer, UNTRUSTED_NOTE, UNTRUSTED_NOTICE } from './tool-answer.ts';
import { MCP_TOOLS } from './tool-registry.ts';

const INSTRUCTIONS = `Trapline detects memory-exploit attacks from crashes of programs. The tools search and read what it has recorded. ${UNTRUSTED_NOTICE}`;

const ANNOTATIONS: Readonly<Record<ToolEffect, { readonly readOnlyHint: boolean; readonly destructiveHint: boolean }>> =
  {
    reads: { readOnlyHint: true, destructiveHint: false },
    proposes: { readOnlyHint: false, destructiveHint: false },
    starts: { readOnlyHint: false, destructiveHint: true },
  };

/** Creates a server of the Model Context Protocol with every tool. `call` sends the requests of one caller. */
export function createMcpServer(call: CallApi): McpServer {
  const server = new McpServer(
    { name: 'trapline', title: 'Trapline', version: PRODUCT_VERSION },
    { capabilities: { tools: { listChanged: false } }, instructions: INSTRUCTIONS },
  );
  for (const [name, tool] of MCP_TOOLS)
    server.registerTool(
      name,
      {
        title: tool.title,
        description: toolDescription(tool),
        inputSchema: tool.input,
        outputSchema: answerSchema,
        annotations: { ...ANNOTATIONS[tool.effect], openWorldHint: false },
      },
      async (input, { mcpReq }) => run(tool, input, call, mcpReq.signal),
    );
  return server;
}

/** Returns the description that the model sees. */
export function toolDescription({ description, scope }: McpTool): string {
  return `${description} The key needs the scope ${scope}. ${UNTRUSTED_NOTE}`;
}

async function run(tool: McpTool, input: unknown, call: CallApi, signal: AbortSignal) {
  try {
    return toolAnswer(tool, await call(tool.request(input), signal));
  } catch (error) {
    if (!(error instanceof ApiCallFailure)) throw error;
    return { content: [{ type: 'text' as const, text: error.message }], isError: true };
  }
}
