import multipart from '@fastify/multipart';
import { z } from 'zod';
import type { StoredContent } from '#api/executions/files/contents.ts';
import { FileTooLarge } from '#api/executions/files/port.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { readForm } from '#api/http/bodies/read-form.ts';
import { uploadName } from '#api/http/bodies/upload-name.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { sendFile } from '#api/http/responses/send-file.ts';
import { caseFileSchema, fileIdSchema } from '#schemas/api/cases.ts';
import { MAX_CASE_FILE_BYTES } from '#schemas/case-terms.ts';
import { changedBy } from '../changed-by.ts';
import { fileRecord } from '../records/records.ts';
import { findCaseFile } from '../tables/case-files.ts';
import { findCase } from '../tables/cases.ts';
import { caseParams } from './cases.ts';
import { CASE_TAGS, type CaseRoutesDeps, noSuchCase, READ, READ_ERRORS, refuse, WRITE, WRITE_ERRORS } from './deps.ts';

const fileParams = caseParams.extend({ fileId: fileIdSchema });
const FORM = {
  'multipart/form-data': {
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary', description: 'The file, at most 64 MiB' } },
    },
  },
} as const;

/**
 * Routes for evidence files of a case. Their content is in the file store of executions. Adds a form parser to the
 * given scope.
 * Long: each route includes its description.
 */
export async function caseFileRoutes(
  app: ApiServer,
  { database, cases, contents }: Pick<CaseRoutesDeps, 'database' | 'cases' | 'contents'>,
): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: true });

  app.post(
    '/api/cases/:id/files',
    {
      config: { ...WRITE, describedBody: FORM },
      // The body is streamed, and limited while it is read.
      bodyLimit: MAX_CASE_FILE_BYTES + 2 ** 20,
      schema: {
        operationId: 'addCaseFile',
        summary: 'Add an evidence file to a case',
        description:
          'A form with one file in the field `file`, at most 64 MiB. Its SHA-256 is computed during the upload. At most 100 files per case.',
        tags: CASE_TAGS,
        params: caseParams,
        response: { 201: caseFileSchema.describe('The file.'), ...WRITE_ERRORS, ...errorResponses(409) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (!request.isMultipart())
        throw apiError('unsupported_media_type', 'must be multipart/form-data', 'content-type');
      if ((await findCase(database, id)) === undefined) throw noSuchCase();
      let stored: (StoredContent & { readonly filename: string }) | undefined;
      await readForm(
        request,
        async ({ field, filename, contentType, bytes }) => {
          if (field !== 'file') throw apiError('invalid_value', 'must contain one file in the field `file`', field);
          const content = await contents.put(bytes, MAX_CASE_FILE_BYTES, contentType).catch(refuseLarge);
          stored = { ...content, filename: uploadName(filename) || 'file' };
        },
        { files: 1, fields: 0, fileBytes: MAX_CASE_FILE_BYTES },
      );
      if (stored === undefined) throw apiError('required', 'the field `file` is missing', 'file');
      const file = await cases.addFile(id, stored, changedBy(request)).catch(refuse);
      return reply.code(201).send(fileRecord(file));
    },
  );

  app.get(
    '/api/cases/:id/files/:fileId',
    {
      config: READ,
      schema: {
        operationId: 'getCaseFile',
        summary: 'Download an evidence file',
        description: 'The unchanged bytes, as an attachment that browsers do not display.',
        tags: CASE_TAGS,
        params: fileParams,
        response: {
          200: {
            description: 'The bytes, as an attachment.',
            content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
          },
          ...READ_ERRORS,
        },
      },
    },
    async ({ params: { id, fileId } }, reply) => {
      const file = await findCaseFile(database, id, fileId);
      if (file === undefined) throw apiError('not_found', 'there is no such file in the case');
      return sendFile(reply, { path: file.filename, ...file }, await contents.read(file.contentHash));
    },
  );

  app.delete(
    '/api/cases/:id/files/:fileId',
    {
      config: WRITE,
      schema: {
        operationId: 'deleteCaseFile',
        summary: 'Delete an evidence file',
        description: 'Its name and SHA-256 stay in the timeline. Its content is deleted about an hour later.',
        tags: CASE_TAGS,
        params: fileParams,
        response: { 204: z.undefined().describe('The file is deleted.'), ...READ_ERRORS },
      },
    },
    async (request, reply) => {
      const { id, fileId } = request.params;
      await cases.removeFile(id, fileId, changedBy(request)).catch(refuse);
      return reply.code(204).send();
    },
  );
}

function refuseLarge(error: unknown): never {
  if (error instanceof FileTooLarge) throw apiError('payload_too_large', error.message, 'file');
  throw error;
}
