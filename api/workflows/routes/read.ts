import { z } from 'zod';
import { READ } from '#api/executions/routes/access.ts';
import { actorOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { listOf, PAGE_SHAPE } from '#api/http/queries/page-query.ts';
import { queryChoices } from '#api/http/queries/query-list.ts';
import { queryFlagOr } from '#api/http/queries/query-values.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import {
  listedWorkflowSchema,
  workflowDetailSchema,
  workflowGraphSchema,
  workflowKindSchema,
  workflowTasksSchema,
} from '#schemas/api/workflows.ts';
import { CheckerBusy } from '../definitions/checker.ts';
import { workflowTag } from '../definitions/release.ts';
import type { JsonRecord } from '../definitions/walk.ts';
import { taskRecords } from '../records/task-records.ts';
import { listedRecord, workflowRecord } from '../records/workflow-record.ts';
import { findVersion } from '../tables/workflow-versions.ts';
import { listWorkflows } from '../tables/workflows.ts';
import { type WorkflowRouteDeps, workflowOf } from './deps.ts';

export const workflowParams = z.strictObject({
  id: storableText(100).describe('Id (wf_…) or slug of the workflow').meta({ example: 'enrich-detection' }),
});
const tags = ['workflows'];

const listQuery = z.strictObject({
  search: storableText(200).optional().describe('Part of the name, case-insensitive').meta({ example: 'detection' }),
  name: storableText(200).optional().describe('Exactly this name').meta({ example: 'enrich-detection' }),
  kind: queryChoices(workflowKindSchema.options).optional().describe('Only of this kind, or one of these'),
  includeArchived: queryFlagOr(false).describe('Deleted ones too').meta({ example: false }),
  titles: queryFlagOr(false)
    .describe('Include the titles of the current versions, which `search` then covers too')
    .meta({ example: false }),
  ...PAGE_SHAPE,
});

const versionQuery = z.strictObject({
  version: storableText(100).default('latest').describe('Id, tag or latest').meta({ example: 'latest' }),
});

/** GET /api/v1/workflows, …/{id}, …/{id}/tasks and …/{id}/graph. Long: each route includes its description. */
export function readWorkflowRoutes(
  app: ApiServer,
  { database, checker }: Pick<WorkflowRouteDeps, 'database' | 'checker'>,
): void {
  app.get(
    '/api/v1/workflows',
    {
      config: READ,
      schema: {
        operationId: 'listWorkflows',
        summary: 'List workflows',
        description: 'Own and shared workflows, or all for administrators, sorted by name.',
        tags,
        querystring: listQuery,
        response: {
          200: listOf(listedWorkflowSchema).describe('Workflows.'),
          ...errorResponses(400, 401, 403, 429, 503),
        },
      },
    },
    async (request) => {
      const { limit, offset, ...filters } = request.query;
      const { rows, total } = await listWorkflows(database, viewerOf(request), filters, { limit, offset });
      return { data: rows.map((row) => listedRecord(row)), total, limit, offset };
    },
  );

  app.get(
    '/api/v1/workflows/:id',
    {
      config: READ,
      schema: {
        operationId: 'getWorkflow',
        summary: 'Read a workflow',
        description:
          'Finds a workflow by id or name. Includes the definition of its current version, which determines the ETag.',
        tags,
        params: workflowParams,
        response: {
          200: workflowDetailSchema.describe('The workflow; its ETag in the header.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const workflow = await workflowOf(database, viewerOf(request), request.params.id);
      const version = await findVersion(database, workflow, 'latest');
      if (version === undefined) throw new Error('a workflow has no current version');
      const { tag, definition, yamlContent } = version;
      reply.header('etag', workflowTag(workflow));
      return { ...workflowRecord(workflow, tag), definition, yamlContent };
    },
  );

  app.get(
    '/api/v1/workflows/:id/tasks',
    {
      config: READ,
      schema: {
        operationId: 'listWorkflowTasks',
        summary: 'List the tasks of a workflow',
        description: 'The tasks of a version as a list in which each task names the task that contains it.',
        tags,
        params: workflowParams,
        querystring: versionQuery,
        response: {
          200: workflowTasksSchema.describe('The tasks.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request) => {
      const workflow = await workflowOf(database, viewerOf(request), request.params.id);
      const version = await findVersion(database, workflow, request.query.version);
      if (version === undefined) throw noSuchVersion();
      return { version: version.tag, data: taskRecords(version.definition as JsonRecord) };
    },
  );

  app.get(
    '/api/v1/workflows/:id/graph',
    {
      config: READ,
      schema: {
        operationId: 'getWorkflowGraph',
        summary: 'Draw a workflow',
        description:
          'A flow chart of a version in the language of Mermaid. Definitions of more than 1,000 tasks are not drawn (400).',
        tags,
        params: workflowParams,
        querystring: versionQuery,
        response: {
          200: workflowGraphSchema.describe('The chart.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request) => {
      const workflow = await workflowOf(database, viewerOf(request), request.params.id);
      const version = await findVersion(database, workflow, request.query.version);
      if (version === undefined) throw noSuchVersion();
      const mermaid = await checker
        .draw(version.definition as JsonRecord, actorOf(request.caller))
        .catch((error: unknown) => {
          throw error instanceof CheckerBusy ? tooBusy(error) : error;
        });
      if (mermaid === undefined) throw apiError('invalid_value', 'the definition is too large for a chart');
      return { version: version.tag, mermaid };
    },
  );
}

export function tooBusy({ message }: CheckerBusy) {
  return apiError('rate_limited', message, undefined, { 'retry-after': '5' });
}

export function noSuchVersion(field = 'version') {
  return apiError('not_found', 'the workflow has no such version', field);
}
