import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isTerminal } from '#api/executions/engine/transitions.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { agentExampleSchema, evaluationResultSchema } from '#schemas/api/agents.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { COMPARISONS, type Comparison } from '../compare.ts';
import { passRate } from '../evaluation/compare-arms.ts';
import { requireOwnBatch } from '../experiments.ts';
import { agentExampleRecord, evaluationRecord } from '../records/agent-record.ts';
import type { EvaluationRow } from '../tables/agent-evaluations.ts';
import {
  AGENT_ERRORS,
  AGENT_TAGS,
  type AgentRouteDeps,
  agentParams,
  executionParams,
  READ,
  RUN,
  requesterOf,
  WRITE,
} from './deps.ts';

const name = storableText(200).describe('Name of the example').meta({ example: 'stack overflow of nginx' });
const exampleParams = agentParams.extend({ name });

/** Examples of an agent and their evaluation: …/examples, …/promote, …/evaluations. */
export function datasetRoutes(app: ApiServer, deps: Pick<AgentRouteDeps, 'dataset'>): void {
  exampleRoutes(app, deps);
  evaluationRoutes(app, deps);
}

function exampleRoutes(app: ApiServer, { dataset }: Pick<AgentRouteDeps, 'dataset'>): void {
  app.get(
    '/api/v1/agents/:agentId/examples',
    {
      config: READ,
      schema: {
        operationId: 'listAgentExamples',
        summary: 'List examples',
        description: 'The dataset of an agent, by name.',
        tags: AGENT_TAGS,
        params: agentParams,
        response: { 200: z.object({ data: z.array(agentExampleSchema) }).describe('The examples.'), ...AGENT_ERRORS },
      },
    },
    async (request) => {
      const examples = await dataset.list(requesterOf(request), request.params.agentId);
      return { data: examples.map(agentExampleRecord) };
    },
  );

  app.put(
    '/api/v1/agents/:agentId/examples/:name',
    {
      config: WRITE,
      schema: {
        operationId: 'putAgentExample',
        summary: 'Create or replace an example',
        description:
          'An input and the expected output. `comparison` is `exact` (equal), `subset` (contains at least the expected values) or `schema` (valid against the expected JSON Schema). An example with the same name is replaced.',
        tags: AGENT_TAGS,
        params: exampleParams,
        body: z
          .strictObject({
            input: z.unknown(),
            expected: z.unknown().optional(),
            comparison: z.enum(COMPARISONS).optional().describe('Default: subset'),
          })
          .meta({ example: { input: { detection: 'det_0' }, expected: { verdict: 'benign' } } }),
        response: { 200: z.object({ id: z.string(), name: z.string() }).describe('It is stored.'), ...AGENT_ERRORS },
      },
    },
    async (request) => {
      const {
        input = null,
        expected = null,
        comparison = 'subset',
      } = request.body as {
        input?: JsonValue;
        expected?: JsonValue;
        comparison?: Comparison;
      };
      const example = { name: request.params.name, input, expected, comparison };
      return { id: await dataset.put(requesterOf(request), request.params.agentId, example), name: example.name };
    },
  );

  app.delete(
    '/api/v1/agents/:agentId/examples/:name',
    {
      config: WRITE,
      schema: {
        operationId: 'deleteAgentExample',
        summary: 'Remove an example',
        description: 'Its executions are kept.',
        tags: AGENT_TAGS,
        params: exampleParams,
        response: { 204: z.undefined().describe('It is deleted.'), ...AGENT_ERRORS },
      },
    },
    async (request, reply) => {
      await dataset.remove(requesterOf(request), request.params.agentId, request.params.name);
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/v1/agents/executions/:executionId/promote',
    {
      config: WRITE,
      schema: {
        operationId: 'promoteAgentExecution',
        summary: 'Create an example from an execution',
        description: 'Copies its input, files and expectations. An example with the same name is replaced.',
        tags: AGENT_TAGS,
        params: executionParams,
        body: z.strictObject({ name }),
        response: { 201: z.object({ id: z.string(), name: z.string() }).describe('The example.'), ...AGENT_ERRORS },
      },
    },
    async (request, reply) => {
      const id = await dataset.promote(requesterOf(request), request.params.executionId, request.body.name);
      return reply.code(201).send({ id, name: request.body.name });
    },
  );
}

function evaluationRoutes(app: ApiServer, { dataset }: Pick<AgentRouteDeps, 'dataset'>): void {
  app.post(
    '/api/v1/agents/:agentId/evaluations',
    {
      config: RUN,
      schema: {
        operationId: 'evaluateAgent',
        summary: 'Evaluate an agent',
        description:
          'Runs the agent over all or the named examples. The executions share a batchId. Each output and each expected file is compared when its execution ends. Idempotent by batchId.',
        tags: AGENT_TAGS,
        params: agentParams,
        body: z
          .strictObject({
            batchId: storableText(200).describe('Default: a new one').optional(),
            examples: z.array(name).min(1).max(1000).describe('Default: all').optional(),
          })
          .optional(),
        response: {
          202: z
            .object({
              batchId: z.string(),
              executions: z.array(z.object({ executionId: z.string(), exampleName: z.string() })),
            })
            .describe('They were accepted.'),
          ...AGENT_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const { batchId = `batch_${randomUUID()}`, examples } = request.body ?? {};
      requireOwnBatch(batchId);
      const started = await dataset.evaluate(requesterOf(request), request.params.agentId, batchId, examples);
      return reply.code(202).send({ batchId, executions: started.executions.map((one) => ({ ...one })) });
    },
  );

  app.get(
    '/api/v1/agents/:agentId/evaluations/:batchId',
    {
      config: READ,
      schema: {
        operationId: 'getAgentEvaluation',
        summary: 'Results of an evaluation',
        description:
          'Comparison of the executions of a batch with the expectations of their examples, by example name.',
        tags: AGENT_TAGS,
        params: agentParams.extend({
          batchId: storableText(200).describe('Id of the batch').meta({ example: 'night' }),
        }),
        response: { 200: evaluationResultSchema.describe('The results so far.'), ...AGENT_ERRORS },
      },
    },
    async (request) => {
      const { agentId, batchId } = request.params;
      const rows = await dataset.results(requesterOf(request), agentId, batchId);
      const count = (test: (row: EvaluationRow) => boolean) => rows.filter(test).length;
      return {
        batchId,
        total: rows.length,
        open: count(({ status }) => !isTerminal(status)),
        passed: count(({ evaluation }) => evaluation?.passed === true),
        failed: count(({ evaluation }) => evaluation?.passed === false),
        passRate: passRate(rows.map(({ evaluation, cost }) => ({ passed: evaluation?.passed ?? null, cost }))),
        notCompared: count(({ evaluation, status }) => typeof evaluation?.passed !== 'boolean' && isTerminal(status)),
        executions: rows.map(({ evaluation, cost: _, ...row }) => ({
          ...row,
          evaluation: evaluationRecord(evaluation),
        })),
      };
    },
  );
}
