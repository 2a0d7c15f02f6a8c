import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { StoredContent } from '#api/executions/files/contents.ts';
import { apiError, invalidRequest } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { jsonOrForm } from '#api/http/bodies/described-form.ts';
import { readForm } from '#api/http/bodies/read-form.ts';
import { sendFile } from '#api/http/responses/send-file.ts';
import { expectedFileRecords } from '../../records/agent-record.ts';
import { UPLOAD_LIMITS } from '../agent-scope.ts';
import { AGENT_ERRORS, AGENT_TAGS, type AgentRouteDeps, executionParams, READ, RUN, requesterOf } from '../deps.ts';

const name = z.string().min(1).max(1024);
const named = z.object({ name: z.string() });
const copySchema = z
  .strictObject({
    outputFileName: name.describe('Output file of the execution'),
    expectedName: name.describe('Name of the expected file; default: the same name').optional(),
  })
  .describe('Instead of a form with `file` and `name`');
const UPLOAD_FORM = {
  properties: {
    file: { type: 'string', format: 'binary', description: 'The file' },
    name: { type: 'string', description: 'Name of the expected file; default: its own name' },
  },
  required: ['file'],
} as const;
const fileParams = executionParams.extend({
  filename: name.describe('Path of the file, with %2F for /').meta({ example: 'report.md' }),
});
const path = '/api/v1/agents/executions/:executionId/expected';

/**
 * Expected files and output of an execution: GET, POST …/expected; GET, PATCH, DELETE …/expected/:filename. Long: each
 * route includes its description.
 */
export function expectedRoutes(app: ApiServer, deps: AgentRouteDeps): void {
  const { review } = deps;
  const tags = AGENT_TAGS;

  app.get(
    path,
    {
      config: READ,
      schema: {
        operationId: 'getExpectedOutcome',
        summary: 'Read expectations',
        description: 'JSON, and names of files.',
        tags,
        params: executionParams,
        response: {
          200: z.object({ expected: z.unknown(), files: z.array(named) }).describe('The expected output and files.'),
          ...AGENT_ERRORS,
        },
      },
    },
    async (request) => {
      const { execution, expectedFiles } = await review.read(requesterOf(request), request.params.executionId);
      return { expected: execution.expected, files: expectedFileRecords(expectedFiles) };
    },
  );

  app.post(
    path,
    {
      config: { ...RUN, describedBody: jsonOrForm(copySchema, UPLOAD_FORM) },
      schema: {
        operationId: 'addExpectedFile',
        summary: 'Expect a file',
        description:
          'Either an upload as multipart/form-data (`file`, and `name` if it differs from the file name), or an output file of the execution as JSON `{outputFileName, expectedName}`. An expected file with the same name is replaced.',
        tags,
        params: executionParams,
        response: { 201: named.describe('Its name.'), ...AGENT_ERRORS },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { executionId } = request.params;
      if (request.isMultipart()) {
        // Checked first, so no files are accepted for an execution that does not exist.
        await review.read(requester, executionId);
        const { wanted, content } = await readUpload(request, deps);
        return reply.code(201).send({ name: await review.addExpected(requester, executionId, wanted, content) });
      }
      const checked = copySchema.safeParse(request.body ?? {});
      if (!checked.success) throw invalidRequest(checked.error);
      const { outputFileName, expectedName } = checked.data;
      return reply
        .code(201)
        .send({ name: await review.copyOutput(requester, executionId, outputFileName, expectedName) });
    },
  );

  app.get(
    `${path}/:filename`,
    {
      config: READ,
      schema: {
        operationId: 'getExpectedFile',
        summary: 'Download an expected file',
        description: 'As an attachment.',
        tags,
        params: fileParams,
        response: {
          200: {
            description: 'The bytes.',
            content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
          },
          ...AGENT_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const { executionId, filename } = request.params;
      const { file, stream } = await review.open(requesterOf(request), executionId, 'expected', filename);
      return sendFile(reply, file, stream);
    },
  );

  app.patch(
    `${path}/:filename`,
    {
      config: RUN,
      schema: {
        operationId: 'renameExpectedFile',
        summary: 'Rename an expected file',
        description: 'A name that is already taken is rejected.',
        tags,
        params: fileParams,
        body: z.strictObject({ name }).meta({ example: { name: 'report.md' } }),
        response: { 200: named.describe('Its new name.'), ...AGENT_ERRORS },
      },
    },
    async (request) => {
      const { executionId, filename } = request.params;
      return { name: await review.renameExpected(requesterOf(request), executionId, filename, request.body.name) };
    },
  );

  app.delete(
    `${path}/:filename`,
    {
      config: RUN,
      schema: {
        operationId: 'deleteExpectedFile',
        summary: 'Delete an expected file',
        description: 'Deletes the file.',
        tags,
        params: fileParams,
        response: { 204: z.undefined().describe('It is deleted.'), ...AGENT_ERRORS },
      },
    },
    async (request, reply) => {
      const { executionId, filename } = request.params;
      await review.removeExpected(requesterOf(request), executionId, filename);
      return reply.code(204).send();
    },
  );
}

/** Reads `file` and `name` in any order. The file is stored as it arrives, possibly before its name. */
async function readUpload(request: FastifyRequest, { contents }: AgentRouteDeps) {
  let file: { readonly filename: string; readonly content: StoredContent } | undefined;
  const fields = await readForm(request, async ({ field, filename, contentType, bytes }) => {
    if (field !== 'file') throw apiError('invalid_value', 'the file must be in the field `file`', field);
    if (file !== undefined) throw apiError('invalid_value', 'must be one file', 'file');
    file = { filename, content: await contents.put(bytes, UPLOAD_LIMITS.fileBytes, contentType) };
  });
  for (const field of fields.keys())
    if (field !== 'name') throw apiError('invalid_value', 'there is no such field', field);
  if (file === undefined) throw apiError('required', 'must be a file', 'file');
  const wanted = fields.get('name') ?? file.filename;
  if (wanted === '') throw apiError('required', 'the file has no name', 'name');
  return { wanted, content: file.content };
}
