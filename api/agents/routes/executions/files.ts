import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { sendFile } from '#api/http/responses/send-file.ts';
import { ISSUES_FILE, TRACE_FILE } from '../../run/keep-outcome.ts';
import { AGENT_ERRORS, AGENT_TAGS, type AgentRouteDeps, executionParams, READ, requesterOf } from '../deps.ts';

const binary = z.string().meta({ format: 'binary' });
/** Files of these kinds have a fixed name. */
const ONLY_NAMES: Readonly<Record<string, string>> = { issues: ISSUES_FILE, trace: TRACE_FILE };

/** GET /api/v1/agents/executions/:executionId/files/:kind/:filename. */
export function executionFileRoute(app: ApiServer, { review }: AgentRouteDeps): void {
  app.get(
    '/api/v1/agents/executions/:executionId/files/:kind/:filename',
    {
      config: READ,
      schema: {
        operationId: 'getAgentExecutionFile',
        summary: 'Download a file of an agent execution',
        description:
          'A file of the input or output. The kinds issues and trace have the files issues.md and trace.jsonl.',
        tags: AGENT_TAGS,
        params: executionParams.extend({
          kind: z.enum(['input', 'output', 'issues', 'trace']).describe('Kind of file'),
          filename: z.string().min(1).max(1024).describe('Its path, with %2F for /').meta({ example: 'report.md' }),
        }),
        response: {
          200: {
            description: 'The bytes, as an attachment.',
            content: {
              'application/octet-stream': { schema: binary },
              'application/x-ndjson': { schema: binary },
            },
          },
          ...AGENT_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const { executionId, kind, filename } = request.params;
      if (ONLY_NAMES[kind] !== undefined && ONLY_NAMES[kind] !== filename)
        throw apiError('not_found', `the file is ${ONLY_NAMES[kind]}`, 'filename');
      const { file, stream } = await review.open(requesterOf(request), executionId, kind, filename);
      return sendFile(reply, file, stream, kind === 'trace' ? 'application/x-ndjson' : undefined);
    },
  );
}
