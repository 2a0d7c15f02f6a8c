import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { isTerminal } from '#api/executions/engine/transitions.ts';
import { readPayload } from '#api/executions/payloads/keep-payload.ts';
import { withStarters } from '#api/executions/records/with-starters.ts';
import { waitSeconds } from '#api/executions/routes/wait-seconds.ts';
import { listExecutionFiles } from '#api/executions/tables/execution-files.ts';
import { principalOf } from '#api/http/access/caller.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { idempotencyKeyOf } from '#api/http/idempotency-key.ts';
import { includeOf } from '#api/http/queries/query-include.ts';
import { createLongPoll } from '#api/http/responses/long-poll.ts';
import { type Viewer, viewerOf } from '#api/sharing/viewer.ts';
import { agentExecutionSchema } from '#schemas/api/agents.ts';
import { agentExecutionRecord, EXECUTION_SECTIONS, type ExecutionSections } from '../../records/agent-record.ts';
import type { FullAgentExecution } from '../../tables/agent-executions.ts';
import { AGENT_ERRORS, AGENT_TAGS, type AgentRouteDeps, executionParams, POLL, RUN, requesterOf } from '../deps.ts';

const answer = z.object({ execution: agentExecutionSchema });

/** GET /api/v1/agents/executions/:executionId; POST …/cancel, …/rerun. */
export function agentExecutionRoutes(app: ApiServer, deps: AgentRouteDeps): void {
  const { database, runs, payloads, watch } = deps;
  const hold = createLongPoll(deps.maxLongPolls === undefined ? {} : { max: deps.maxLongPolls });
  const recordOf = async (execution: FullAgentExecution, sections: ExecutionSections, viewer: Viewer) => {
    const wanted = sections.has('files') || sections.has('expected');
    const files = wanted ? await listExecutionFiles(database, [execution.executionId]) : [];
    const [input, result] = await Promise.all([
      readPayload(payloads, execution.triggerInput, execution.triggerInputFile),
      readPayload(payloads, execution.result, execution.resultFile),
    ]);
    const record = { ...agentExecutionRecord({ ...execution, result }, sections, files), input };
    const [extended = record] = await withStarters(database, viewer, [record], sections);
    return { execution: extended };
  };

  app.get(
    '/api/v1/agents/executions/:executionId',
    {
      config: POLL,
      schema: {
        operationId: 'getAgentExecution',
        summary: 'Get an execution of an agent',
        description:
          'Visible to the user who started it, the owner of the agent, and administrators. With `wait_for_completion` the connection is held until the execution has ended or the time is up, with a space every 15 seconds before the body. Requests with a key do not count towards the limit of the address. Each key has a separate limit.',
        tags: AGENT_TAGS,
        params: executionParams,
        querystring: z.strictObject({
          include: includeOf([...EXECUTION_SECTIONS, 'startedBy']),
          wait_for_completion: waitSeconds,
        }),
        response: { 200: answer.describe('The execution.'), ...AGENT_ERRORS },
      },
    },
    async (request, reply) => {
      const [requester, viewer] = [requesterOf(request), viewerOf(request)];
      const { executionId } = request.params;
      const { include = new Set(), wait_for_completion: seconds = 0 } = request.query;
      const now = await runs.find(requester, executionId);
      if (seconds === 0 || isTerminal(now.status)) return recordOf(now, include, viewer);
      // If the last read fails, the connection breaks and the client retries.
      const body = hold(principalOf(request.caller), async (signal) => {
        await watch.waitForEnd(executionId, { ms: seconds * 1_000, signal });
        return recordOf(await runs.find(requester, executionId), include, viewer);
      });
      if (body === undefined) return recordOf(now, include, viewer);
      const untyped: FastifyReply = reply;
      return untyped.type('application/json; charset=utf-8').send(body);
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
          'An execution that has not begun is cancelled immediately. Otherwise its worker ends it within a second. Idempotent.',
        tags: AGENT_TAGS,
        params: executionParams,
        response: { 200: answer.describe('The current state of the execution.'), ...AGENT_ERRORS },
      },
    },
    async (request) =>
      recordOf(await runs.cancel(requesterOf(request), request.params.executionId), new Set(), viewerOf(request)),
  );

  app.post(
    '/api/v1/agents/executions/:executionId/rerun',
    {
      config: RUN,
      schema: {
        operationId: 'rerunAgentExecution',
        summary: 'Run an execution again',
        description:
          'Starts an execution with the input, files, configuration and workspace of this one, which is not changed. Only the owner of the agent and administrators may repeat one with a secret or a host that the agent no longer uses. With the header Idempotency-Key, the same request within 24 hours returns the same execution.',
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
