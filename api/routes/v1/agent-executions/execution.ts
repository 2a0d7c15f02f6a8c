import { z } from 'zod';
import { agentExecutionSchema } from '#schemas/api/agents.ts';
import { readPayload } from '../../../executions/payloads/keep-payload.ts';
import type { ApiServer } from '../../../http/api-server.ts';
import { idempotencyKeyOf } from '../../../http/idempotency-key.ts';
import { agentExecutionRecord, EXECUTION_SECTIONS, type ExecutionSections } from '../../../records/agent-record.ts';
import type { FullAgentExecution } from '../../../store/tables/agent-executions.ts';
import { listExecutionFiles } from '../../../store/tables/execution-files.ts';
import {
  AGENT_ERRORS,
  AGENT_TAGS,
  type AgentRouteDeps,
  executionParams,
  includeOf,
  READ,
  RUN,
  requesterOf,
} from '../agents/deps.ts';

const answer = z.object({ execution: agentExecutionSchema });

/** GET /api/v1/agents/executions/:executionId; POST …/cancel, …/rerun. */
export function agentExecutionRoutes(app: ApiServer, { database, runs, payloads }: AgentRouteDeps): void {
  const told = async (execution: FullAgentExecution, sections: ExecutionSections) => {
    const wanted = sections.has('files') || sections.has('expected');
    const files = wanted ? await listExecutionFiles(database, [execution.executionId]) : [];
    const [input, result] = await Promise.all([
      readPayload(payloads, execution.triggerInput, execution.triggerInputFile),
      readPayload(payloads, execution.result, execution.resultFile),
    ]);
    return { execution: { ...agentExecutionRecord({ ...execution, result }, sections, files), input } };
  };

  app.get(
    '/api/v1/agents/executions/:executionId',
    {
      config: READ,
      schema: {
        operationId: 'getAgentExecution',
        summary: 'Get an execution of an agent',
        description: 'To who ran it, the owner of the agent, and administrators.',
        tags: AGENT_TAGS,
        params: executionParams,
        querystring: z.strictObject({ include: includeOf(EXECUTION_SECTIONS) }),
        response: { 200: answer.describe('The execution.'), ...AGENT_ERRORS },
      },
    },
    async (request) => {
      const execution = await runs.find(requesterOf(request), request.params.executionId);
      return told(execution, request.query.include ?? new Set());
    },
  );

  app.post(
    '/api/v1/agents/executions/:executionId/cancel',
    {
      config: RUN,
      schema: {
        operationId: 'cancelAgentExecution',
        summary: 'Cancel an execution of an agent',
        description:
          'At once when it has not begun; else its worker ends it within a second. Repeating it changes nothing.',
        tags: AGENT_TAGS,
        params: executionParams,
        response: { 200: answer.describe('The execution as it is now.'), ...AGENT_ERRORS },
      },
    },
    async (request) => told(await runs.cancel(requesterOf(request), request.params.executionId), new Set()),
  );

  app.post(
    '/api/v1/agents/executions/:executionId/rerun',
    {
      config: RUN,
      schema: {
        operationId: 'rerunAgentExecution',
        summary: 'Run once more',
        description:
          'A new execution with the input, files, configuration and workspace of this one, which stays as it is. With the header Idempotency-Key the same request within 24 hours is the same execution.',
        tags: AGENT_TAGS,
        params: executionParams,
        response: {
          202: z
            .object({ executionId: z.string(), sourceExecutionId: z.string(), status: z.string() })
            .describe('It was accepted.'),
          ...AGENT_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const sourceExecutionId = request.params.executionId;
      const executionId = await runs.rerun(requester, sourceExecutionId, idempotencyKeyOf(request.headers));
      return reply.code(202).send({ executionId, sourceExecutionId, status: 'pending' });
    },
  );
}
