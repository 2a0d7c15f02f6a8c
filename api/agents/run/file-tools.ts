import { z } from 'zod';
import type { GivenFile } from '../tables/agent-files.ts';
import { bytesOf, type RunFiles, requireSafePath } from './run-files.ts';
import { defineTool, type Tool } from './tool.ts';

const kind = z.enum(['workspace', 'input', 'output']).default('workspace');
const path = z.string().max(512);
const written = {
  path,
  content: z.string().max(8_000_000).optional(),
  contentBase64: z.base64().max(8_000_000).optional(),
  contentType: z.string().max(100).optional(),
};
const shown = ({ path: name, filename, size, contentType }: GivenFile) => ({
  path: name,
  ...(typeof filename === 'string' ? { filename } : {}),
  size,
  contentType,
});

/**
 * Tools for files. `writeWorkspace` writes a new version of the agent's own workspace; undefined if the caller may not
 * change the agent.
 */
export function fileTools(
  files: RunFiles,
  writeWorkspace: ((path: string, bytes: Uint8Array, contentType: string) => Promise<number>) | undefined,
): Tool[] {
  return [
    defineTool({
      name: 'files.list',
      inMemory: true,
      description: 'Lists files of the workspace, of the input, or written so far (kind: workspace, input, output).',
      arguments: z.object({ kind }),
      run: async (given) => files.list(given.kind).map(shown),
    }),
    defineTool({
      name: 'files.read',
      inMemory: true,
      description: 'Reads a file as text, or as base64 with encoding: "base64".',
      arguments: z.object({ kind, path, encoding: z.enum(['utf8', 'base64']).default('utf8') }),
      async run(given) {
        const { file, bytes } = await files.read(given.kind, given.path);
        return { ...shown(file), content: bytes.toString(given.encoding) };
      },
    }),
    defineTool({
      name: 'files.write',
      inMemory: true,
      description: 'Writes an output file of this run: content as text, or contentBase64.',
      arguments: z.object(written),
      run: async (given) =>
        shown(await files.write(given.path, bytesOf(given), given.contentType ?? 'application/octet-stream')),
    }),
    ...(writeWorkspace === undefined
      ? []
      : [
          defineTool({
            name: 'workspace.write',
            description: 'Writes a file of the workspace itself, for later runs: a new version of it.',
            arguments: z.object(written),
            async run(given) {
              const safe = requireSafePath(given.path);
              const type = given.contentType ?? 'application/octet-stream';
              return { path: safe, version: await writeWorkspace(safe, bytesOf(given), type) };
            },
          }),
        ]),
  ];
}
