import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/**
 * A Model Context Protocol server as a program. Its tools echo a text, list the environment variables, return the
 * process id, and never respond.
 */
const server = new McpServer({ name: 'test', version: '1' });
server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, async ({ text }) => ({
  content: [{ type: 'text', text: `heard ${text} with ${Object.keys(process.env).sort().join(',')}` }],
}));
server.registerTool('pid', {}, async () => ({ content: [{ type: 'text', text: String(process.pid) }] }));
server.registerTool('hang', {}, () => new Promise<never>(() => {}));
await server.connect(new StdioServerTransport());
