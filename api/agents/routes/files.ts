import { Buffer } from 'node:buffer';
import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { queryInteger } from '#api/http/queries/query-values.ts';
import { ifMatchHeaders } from '#api/http/responses/if-match.ts';
import { agentFileBodySchema, agentFileSchema, agentFilesBodySchema } from '#schemas/api/agents.ts';
import { type FileUpload, fileTag } from '../agents.ts';
import { agentFileRecord } from '../records/agent-record.ts';
import { AGENT_ERRORS, AGENT_TAGS, type AgentRouteDeps, agentParams, READ, requesterOf, WRITE } from './deps.ts';

const path = z.string().min(1).max(1024).describe('Safe relative path').meta({ example: 'agent.js' });
const version = queryInteger({ min: 0, max: 999_999_999 })
  .optional()
  .describe('Version of the workspace (default: current)')
  .meta({ example: 3 });
const prefix = z.string().max(1024).optional().describe('Only paths with this prefix').meta({ example: 'prompts/' });
/** Files are base64 in JSON: four characters for three bytes. */
const BODY_BYTES = 32 * 2 ** 20;

/** GET, PUT, POST /api/v1/agents/:agentId/files. Long: each route includes its description. */
export function agentFileRoutes(app: ApiServer, { agents }: AgentRouteDeps): void {
  app.get(
    '/api/v1/agents/:agentId/files',
    {
      config: READ,
      schema: {
        operationId: 'getAgentFiles',
        summary: 'List or read files of a workspace',
        description:
          'The current files, or with `path` a single file with its content as text, or as base64 for other bytes. The header has the ETag of a single file. With `version`, the files at that version.',
        tags: AGENT_TAGS,
        params: agentParams,
        querystring: z.strictObject({ path: path.optional(), prefix, version }),
        response: {
          200: z
            .union([
              z.object({ files: z.array(agentFileSchema) }),
              z.object({
                file: agentFileSchema.extend({
                  content: z.string().optional(),
                  contentBase64: z.string().optional(),
                }),
              }),
            ])
            .describe('The list of files, or the content of one file.'),
          ...AGENT_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { agentId } = request.params;
      const { path: wanted, ...which } = request.query;
      if (wanted === undefined) {
        const files = await agents.files(requester, agentId, which);
        return { files: files.map(agentFileRecord) };
      }
      const { file, bytes } = await agents.file(requester, agentId, wanted, which.version);
      reply.header('etag', fileTag(file));
      return { file: { ...agentFileRecord(file), ...contentOf(bytes) } };
    },
  );

  app.put(
    '/api/v1/agents/:agentId/files',
    {
      config: WRITE,
      bodyLimit: BODY_BYTES,
      schema: {
        operationId: 'putAgentFile',
        summary: 'Write a file of a workspace',
        description:
          'Creates a version of the workspace, unless the file is unchanged. With the header If-Match, the file is stored only if it has not changed since it was read (otherwise a 400 that names if-match).',
        tags: AGENT_TAGS,
        params: agentParams,
        headers: ifMatchHeaders('file'),
        querystring: z.strictObject({ path, prefix }),
        body: agentFileBodySchema,
        response: {
          200: z.object({ ok: z.literal(true), path: z.string() }).describe('It is stored.'),
          ...AGENT_ERRORS,
        },
      },
    },
    async (request) => {
      const wanted = `${request.query.prefix ?? ''}${request.query.path}`;
      const files = [uploadOf({ ...request.body, path: wanted })];
      const [stored = wanted] = await agents.putFiles(
        requesterOf(request),
        request.params.agentId,
        files,
        [],
        request.headers['if-match'],
      );
      return { ok: true as const, path: stored };
    },
  );

  app.post(
    '/api/v1/agents/:agentId/files',
    {
      config: WRITE,
      bodyLimit: BODY_BYTES,
      schema: {
        operationId: 'putAgentFiles',
        summary: 'Write files of a workspace',
        description:
          'Stores all files atomically in one version. `remove` deletes paths in the same version; missing paths are ignored.',
        tags: AGENT_TAGS,
        params: agentParams,
        body: agentFilesBodySchema,
        response: {
          200: z.object({ ok: z.literal(true), files: z.array(z.string()) }).describe('They are stored.'),
          ...AGENT_ERRORS,
        },
      },
    },
    async (request) => {
      const files = request.body.files.map(uploadOf);
      const { remove } = request.body;
      return {
        ok: true as const,
        files: await agents.putFiles(requesterOf(request), request.params.agentId, files, remove),
      };
    },
  );
}

function uploadOf(file: z.output<typeof agentFilesBodySchema>['files'][number]): FileUpload {
  const { path: name, content, contentBase64 = '', contentType } = file;
  const bytes = content === undefined ? Buffer.from(contentBase64, 'base64') : Buffer.from(content);
  const plain = content === undefined ? 'application/octet-stream' : 'text/plain';
  return { path: name, bytes, contentType: contentType ?? plain };
}

function contentOf(bytes: Buffer): { content: string } | { contentBase64: string } {
  try {
    return { content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { contentBase64: bytes.toString('base64') };
  }
}
