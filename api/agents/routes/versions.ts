import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { listOf } from '#api/http/queries/page-query.ts';
import { workspaceVersionSchema } from '#schemas/api/agents.ts';
import { listWorkspaceVersions } from '../tables/agent-files.ts';
import { AGENT_ERRORS, AGENT_TAGS, type AgentRouteDeps, agentParams, pageOf, READ, requesterOf } from './deps.ts';

/** GET /api/v1/agents/:agentId/versions. */
export function agentVersionsRoute(app: ApiServer, { agents, database }: AgentRouteDeps): void {
  app.get(
    '/api/v1/agents/:agentId/versions',
    {
      config: READ,
      schema: {
        operationId: 'listAgentVersions',
        summary: 'List versions of a workspace',
        description:
          'Newest first. Read the files of a version with the parameter `version`. `workspaceVersion` of an execution is the version it ran with.',
        tags: AGENT_TAGS,
        params: agentParams,
        querystring: z.strictObject(pageOf(100)),
        response: { 200: listOf(workspaceVersionSchema).describe('The versions.'), ...AGENT_ERRORS },
      },
    },
    async (request) => {
      const { limit, offset } = request.query;
      const { id, latestVersion } = await agents.find(requesterOf(request), request.params.agentId);
      const rows = await listWorkspaceVersions(database, id, { limit, offset });
      const data = rows.map(({ createdAt, ...row }) => ({
        ...row,
        isCurrent: row.version === latestVersion,
        createdAt: createdAt.toISOString(),
      }));
      return { data, total: latestVersion, limit, offset };
    },
  );
}
