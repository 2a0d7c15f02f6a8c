import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { parseMoment } from '#api/http/queries/moment.ts';
import { readFromPrimary } from '#api/read-replica/read-lists.ts';
import { agentUsageSchema } from '#schemas/api/agent-usage.ts';
import { listViewer } from '../requester.ts';
import { sumUsage } from '../tables/agent-usage.ts';
import { usageBy, usageOf } from '../usage.ts';
import { AGENT_ERRORS, AGENT_TAGS, type AgentRouteDeps, agentParams, READ, requesterOf } from './deps.ts';

/** Maximum number of runs to sum, newest first. */
const MAX_RUNS = 20_000;

const moment = (what: string, example: string) => z.string().max(100).optional().describe(what).meta({ example });

/** GET /api/v1/agents/:agentId/usage. */
export function agentUsageRoute(
  app: ApiServer,
  { agents, database, readLists = readFromPrimary(database) }: AgentRouteDeps,
): void {
  app.get(
    '/api/v1/agents/:agentId/usage',
    {
      config: READ,
      schema: {
        operationId: 'getAgentUsage',
        summary: 'Tokens and cost of an agent',
        description: `Sums over the runs of a period, by version of the workspace and by model. The cost of a run is unknown, not zero, when the price of its model is; unpricedRuns counts those. At most the newest ${MAX_RUNS} runs are summed.`,
        tags: AGENT_TAGS,
        params: agentParams,
        querystring: z.strictObject({
          from: moment('Created not before this; ISO 8601 or now()-7d; default now()-30d', 'now()-7d'),
          to: moment('Created not after this; ISO 8601 or now(); default now()', '2026-03-01T12:00:00Z'),
        }),
        response: { 200: agentUsageSchema.describe('The sums.'), ...AGENT_ERRORS },
      },
    },
    async (request) => {
      const requester = requesterOf(request);
      const agent = await agents.find(requester, request.params.agentId);
      const now = Date.now();
      const from = timeOf('from', request.query.from ?? 'now()-30d', now);
      const to = timeOf('to', request.query.to ?? 'now()', now);
      if (from > to) throw apiError('invalid_value', '`from` must not be after `to`', 'from');
      return readLists(request, async (db) => {
        const wanted = { agentId: agent.id, viewer: listViewer(requester, agent), from, to, scanLimit: MAX_RUNS };
        const { rows, scanLimited } = await sumUsage(db, wanted);
        return {
          from: from.toISOString(),
          to: to.toISOString(),
          scanLimited,
          total: usageOf(rows),
          versions: usageBy(rows, 'version'),
          models: usageBy(rows, 'model'),
        };
      });
    },
  );
}

function timeOf(name: 'from' | 'to', text: string, now: number): Date {
  const at = parseMoment(text, name === 'from' ? 'lower' : 'upper', now);
  if (at === undefined)
    throw apiError('invalid_value', 'must be an ISO 8601 time, such as 2026-03-01T12:00:00Z, or now()-7d', name);
  return at;
}
