import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { contentType, SIGNATURE_BYTES } from './content-type.ts';
import { type OpenUpload, openUpload, UPLOAD_NAME } from './open-upload.ts';

export interface UploadDeps {
  /** Files are served from its subfolder `tmp`. */
  readonly dataDir: string;
}

const query = z.strictObject({
  filename: z
    .string()
    .regex(UPLOAD_NAME, 'must be letters, digits, underscores or hyphens, a dot, and 1 to 8 letters or digits')
    .describe('name of the file')
    .meta({ example: 'report-2026.pdf' }),
});

/** GET /api/uploads: streams a file of any size. */
export function uploadsRoute(app: ApiServer, { dataDir }: UploadDeps): void {
  const folder = join(dataDir, 'tmp');
  app.get(
    '/api/uploads',
    {
      config: { access: { by: 'key', scope: 'scrapers' } },
      schema: {
        operationId: 'getUpload',
        summary: 'Download a file',
        description:
          'The bytes of a file in the folder `tmp` of the data directory. Its type is determined by its content, not by its name.',
        tags: ['scrapers'],
        querystring: query,
        response: {
          200: {
            description: 'The bytes, as an attachment.',
            content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
          },
          ...errorResponses(400, 401, 403, 404, 429),
        },
      },
    },
    async (request, reply) => {
      const { filename } = request.query;
      const upload = await openUpload(folder, filename);
      if (upload === undefined) throw apiError('not_found', 'there is no such file', 'filename');
      const type = await beginningOf(upload)
        .then(contentType)
        .catch((error: unknown) => closed(upload, error));
      const untyped: FastifyReply = reply;
      return untyped
        .headers({
          'content-type': type,
          'content-length': upload.size,
          'content-disposition': `attachment; filename="${filename}"`,
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, no-cache',
        })
        .send(bytesOf(upload));
    },
  );
}

async function beginningOf({ handle, size }: OpenUpload): Promise<Uint8Array> {
  const buffer = Buffer.alloc(Math.min(size, SIGNATURE_BYTES));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  return buffer.subarray(0, bytesRead);
}

/** Closes the file when it is sent or the client disconnects. */
function bytesOf({ handle, size }: OpenUpload) {
  // An empty file has no last byte to name.
  return handle.createReadStream({ start: 0, ...(size > 0 ? { end: size - 1 } : {}) });
}

async function closed({ handle }: OpenUpload, error: unknown): Promise<never> {
  await handle.close();
  throw error;
}
