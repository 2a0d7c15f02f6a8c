import { z } from 'zod';
import { isTerminal } from '#api/executions/engine/transitions.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { listOf } from '#api/http/queries/page-query.ts';
import { experimentResultSchema, experimentSchema } from '#schemas/api/agent-experiments.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { checksSchema } from '../evaluation/checks.ts';
import { evaluationRecord } from '../records/agent-record.ts';
import type { EvaluationRow } from '../tables/agent-evaluations.ts';
import type { Experiment } from '../tables/agent-experiments.ts';
import {
  AGENT_ERRORS,
  AGENT_TAGS,
  type AgentRouteDeps,
  agentParams,
  pageOf,
  READ,
  RUN,
  requesterOf,
  WRITE,
} from './deps.ts';

const arm = z
  .strictObject({
    version: z.int().min(1).describe('Of the workspace; default the latest').optional(),
    config: z
      .record(z.string(), z.unknown())
      .describe('Configuration keys that override those of the agent. Requires the right to change the agent')
      .optional(),
  })
  .meta({ example: { version: 3 } });

/** …/checks and …/experiments. Long: each route includes its description. */
export function experimentRoutes(app: ApiServer, { experiments, dataset }: AgentRouteDeps): void {
  app.get(
    '/api/v1/agents/:agentId/checks',
    {
      config: READ,
      schema: {
        operationId: 'getAgentChecks',
        summary: 'Checks of the runs of examples',
        description: 'Checks of every run of an example, in addition to the expectation of the example.',
        tags: AGENT_TAGS,
        params: agentParams,
        response: { 200: z.object({ checks: z.array(z.unknown()) }).describe('The checks.'), ...AGENT_ERRORS },
      },
    },
    async (request) => ({ checks: [...(await dataset.checks(requesterOf(request), request.params.agentId))] }),
  );

  app.put(
    '/api/v1/agents/:agentId/checks',
    {
      config: WRITE,
      schema: {
        operationId: 'putAgentChecks',
        summary: 'Replace the checks',
        description:
          'Rules (exact, contains, regex, json-schema, jq, tool-called, tool-not-called, max-duration, max-tokens, max-credits) and judges: a model that judges by a rubric. A run keeps the checks that it was started with.',
        tags: AGENT_TAGS,
        params: agentParams,
        body: z.strictObject({ checks: checksSchema }),
        response: { 200: z.object({ ok: z.literal(true) }).describe('They are stored.'), ...AGENT_ERRORS },
      },
    },
    async (request) => {
      await dataset.putChecks(requesterOf(request), request.params.agentId, request.body.checks);
      return { ok: true as const };
    },
  );

  app.post(
    '/api/v1/agents/:agentId/experiments',
    {
      config: RUN,
      schema: {
        operationId: 'startAgentExperiment',
        summary: 'Start an experiment',
        description:
          'Runs two versions of the agent over the same examples, one after the other per example, so both have the same load. Results are compared in pairs.',
        tags: AGENT_TAGS,
        params: agentParams,
        body: z.strictObject({
          name: storableText(200).min(1),
          baseline: arm,
          candidate: arm,
          examples: z.array(storableText(200)).min(1).max(1000).describe('Names; default: all').optional(),
        }),
        response: { 202: experimentSchema.describe('Its runs were accepted.'), ...AGENT_ERRORS },
      },
    },
    async (request, reply) => {
      const { name, baseline, candidate, examples } = request.body;
      const wanted = { name, baseline, candidate, examples };
      const started = await experiments.start(requesterOf(request), request.params.agentId, wanted);
      return reply.code(202).send(experimentRecord(started));
    },
  );

  app.get(
    '/api/v1/agents/:agentId/experiments',
    {
      config: READ,
      schema: {
        operationId: 'listAgentExperiments',
        summary: 'List experiments',
        description: 'Newest first.',
        tags: AGENT_TAGS,
        params: agentParams,
        querystring: z.strictObject(pageOf(100)),
        response: { 200: listOf(experimentSchema).describe('The experiments.'), ...AGENT_ERRORS },
      },
    },
    async (request) => {
      const { limit, offset } = request.query;
      const { data, total } = await experiments.list(requesterOf(request), request.params.agentId, { limit, offset });
      return { data: data.map(experimentRecord), total, limit, offset };
    },
  );

  app.get(
    '/api/v1/agents/:agentId/experiments/:experimentId',
    {
      config: READ,
      schema: {
        operationId: 'getAgentExperiment',
        summary: 'Results of an experiment',
        description: 'Both versions side by side, example by example, with the significance of the differences.',
        tags: AGENT_TAGS,
        params: agentParams.extend({
          experimentId: storableText(100).describe('Id (awp_…)').meta({ example: 'awp_0' }),
        }),
        response: { 200: experimentResultSchema.describe('The results so far.'), ...AGENT_ERRORS },
      },
    },
    async (request) => {
      const { agentId, experimentId } = request.params;
      const { experiment, rows, comparison } = await experiments.result(requesterOf(request), agentId, experimentId);
      const all = rows.flatMap(({ baseline, candidate }) => [baseline, candidate]);
      return {
        experiment: experimentRecord(experiment),
        open: all.filter((row) => row !== undefined && !isTerminal(row.status)).length,
        rows: rows.map(({ exampleName, baseline, candidate }) => ({
          exampleName,
          baseline: runRecord(baseline),
          candidate: runRecord(candidate),
        })),
        comparison: { ...comparison, metrics: comparison.metrics.map((metric) => ({ ...metric })) },
      };
    },
  );
}

function experimentRecord({ agentId: _, createdAt, checks, ...row }: Experiment) {
  return { ...row, checks: [...checks], createdAt: createdAt.toISOString() };
}

function runRecord(row: EvaluationRow | undefined) {
  if (row === undefined) return null;
  const { executionId, status, evaluation, cost } = row;
  return { executionId, status, evaluation: evaluationRecord(evaluation), cost: cost === null ? null : { ...cost } };
}
