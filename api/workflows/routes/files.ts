import { z } from 'zod';
import { checkPath } from '#api/executions/files/safe-path.ts';
import { executionParams, noSuchExecution, READ } from '#api/executions/routes/access.ts';
import { findExecutionFile } from '#api/executions/tables/execution-files.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { sendFile } from '#api/http/responses/send-file.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import { findWorkflowExecution } from '../tables/workflow-executions.ts';
import type { WorkflowRouteDeps } from './deps.ts';

/** GET /api/v1/workflows/executions/{executionId}/files/{filename}: an input file of a run. */
export function workflowFileRoute(
  app: ApiServer,
  { database, contents }: Pick<WorkflowRouteDeps, 'database' | 'contents'>,
): void {
  app.get(
    '/api/v1/workflows/executions/:executionId/files/:filename',
    {
      config: READ,
      schema: {
        operationId: 'getWorkflowExecutionFile',
        summary: 'Download a file of an execution',
        description: 'An input file of the run, in a field with the name of its input.',
        tags: ['workflows'],
        params: executionParams.extend({
          filename: z.string().min(1).max(1024).describe('Name of the input, with %2F for /').meta({ example: 'core' }),
        }),
        response: {
          200: {
            description: 'The bytes, as an attachment.',
            content: { 'application/octet-stream': { schema: z.string().meta({ format: 'binary' }) } },
          },
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { executionId, filename } = request.params;
      const execution = await findWorkflowExecution(database, viewerOf(request), executionId);
      if (execution === undefined) throw noSuchExecution();
      const checked = checkPath(filename);
      if (!checked.ok) throw apiError('invalid_value', `the name ${checked.reason}`, 'filename');
      const file = await findExecutionFile(database, execution.id, 'input', checked.path);
      if (file === undefined) throw apiError('not_found', 'there is no such file', 'filename');
      return sendFile(reply, file, await contents.read(file.contentHash));
    },
  );
}
