import { readdirSync } from 'node:fs';
import type { McpTool } from './tool.ts';

const FOLDER = new URL('./tools/', import.meta.url);

/** All tools in `tools/`, sorted by name. A tool is a file; no list names it. */
export const MCP_TOOLS: ReadonlyMap<string, McpTool> = await loadTools();

/**
 * Returns name and tool of a file. Throws at start-up for errors that the compiler cannot find, because tools are
 * loaded by file name, not imported.
 */
export function checkedTool(file: string, tool: McpTool | undefined): readonly [name: string, tool: McpTool] {
  const where = `api/mcp/tools/${file}`;
  if (tool === undefined) throw new Error(`${where} must export \`tool\`, made by defineTool()`);
  if (!/^[a-z][a-z-]*\.ts$/.test(file)) throw new Error(`${where} must be named in lower case`);
  for (const [name, field] of Object.entries(tool.input.shape))
    if (descriptionOf(field) === undefined) throw new Error(`${where}: the field ${name} needs a description`);
  return [file.slice(0, -'.ts'.length).replaceAll('-', '_'), tool];
}

function descriptionOf(field: unknown): string | undefined {
  return (field as { readonly description?: string }).description;
}

async function loadTools(): Promise<ReadonlyMap<string, McpTool>> {
  const files = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts'))
    .sort();
  return new Map(
    await Promise.all(
      files.map(async (file) => {
        const module = (await import(new URL(file, FOLDER).href)) as { readonly tool?: McpTool };
        return checkedTool(file, module.tool);
      }),
    ),
  );
}
