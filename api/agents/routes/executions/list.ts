import { withStarters } from '#api/executions/records/with-starters.ts';
import { listExecutionFiles } from '#api/executions/tables/execution-files.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { readFromPrimary } from '#api/read-replica/read-lists.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import { agentExecutionListSchema } from '#schemas/api/agents.ts';
import { agentExecutionRecord } from '../../records/agent-record.ts';
import { listViewer } from '../../requester.ts';
import { lastResolved, listAgentExecutionIds } from '../../tables/agent-execution-list.ts';
import { type FullAgentExecution, readAgentExecutions } from '../../tables/agent-executions.ts';
import { AGENT_ERRORS, AGENT_TAGS, type AgentRouteDeps, agentParams, READ, requesterOf } from '../deps.ts';
import { filtersOf, listQuerySchema } from './list-query.ts';

/** GET /api/v1/agents/:agentId/executions. */
export function listAgentExecutionsRoute(
  app: ApiServer,
  { database, agents, readLists = readFromPrimary(database) }: AgentRouteDeps,
): void {
  app.get(
    '/api/v1/agents/:agentId/executions',
    {
      config: READ,
      schema: {
        operationId: 'listAgentExecutions',
        summary: 'List executions of an agent',
        description:
          'The owner of the agent sees all executions, other users only their own. Newest first by default. With filters, at most scanLimit executions are examined; scanLimited is true if there are more.',
        tags: AGENT_TAGS,
        params: agentParams,
        querystring: listQuerySchema,
        response: { 200: agentExecutionListSchema.describe('The executions.'), ...AGENT_ERRORS },
      },
    },
    async (request) => {
      const requester = requesterOf(request);
      const agent = await agents.find(requester, request.params.agentId);
      const { sort, order, scanLimit, limit, offset, include, sinceLastResolved } = request.query;
      const viewer = listViewer(requester, agent);
      const filters = filtersOf(request.query);
      return readLists(request, async (from) => {
        const anchor = sinceLastResolved === true ? await lastResolved(from, agent.id, viewer) : undefined;
        const page = { limit, offset, noResolvedAnchor: sinceLastResolved === true && anchor === undefined };
        if (filters === undefined) return { data: [], executions: [], total: 0, scanLimited: false, ...page };
        const { ids, total, scanLimited } = await listAgentExecutionIds(from, {
          agentId: agent.id,
          viewer,
          filters: { ...filters, createdLaterThan: anchor },
          sort,
          order,
          scanLimit,
          limit,
          offset,
        });
        const sections = include ?? new Set();
        const [rows, files] = await Promise.all([
          readAgentExecutions(from, ids),
          sections.has('files') || sections.has('expected') ? listExecutionFiles(from, ids) : [],
        ]);
        const byId = new Map(rows.map((row) => [row.executionId, row]));
        const found = ids.map((id) => byId.get(id)).filter((row): row is FullAgentExecution => row !== undefined);
        const records = found.map((row) => agentExecutionRecord(row, sections, files));
        const data = await withStarters(from, viewerOf(request), records, include);
        return { data, executions: data, total, scanLimited, ...page };
      });
    },
  );
}
