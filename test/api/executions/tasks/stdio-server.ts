import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** A server of the Model Context Protocol as a program: one tool, which repeats a text and names the variables of the environment. */
const server = new McpServer({ name: 'test', version: '1' });
server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, async ({ text }) => ({
  content: [{ type: 'text', text: `heard ${text} with ${Object.keys(process.env).sort().join(',')}` }],
}));
await server.connect(new StdioServerTransport());
