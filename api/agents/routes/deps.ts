import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { causationOf } from '#api/executions/engine/causation.ts';
import type { Contents } from '#api/executions/files/contents.ts';
import type { PayloadStore } from '#api/executions/payloads/port.ts';
import type { ExecutionWatch } from '#api/executions/watch/port.ts';
import { apiError } from '#api/http/api-error.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { queryIntegerOr } from '#api/http/queries/query-values.ts';
import type { Database } from '#api/postgres/database.ts';
import type { ReadLists } from '#api/read-replica/read-lists.ts';
import type { Grants } from '#api/sharing/grants.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import type { AgentRuns } from '../agent-runs.ts';
import type { Agents } from '../agents.ts';
import type { Dataset } from '../dataset.ts';
import type { Experiments } from '../experiments.ts';
import type { McpTools } from '../mcp/mcp-tools.ts';
import type { Requester } from '../requester.ts';
import type { Review } from '../review.ts';

/** Dependencies of the routes of agents and their executions. */
export interface AgentRouteDeps {
  readonly database: Database;
  readonly agents: Agents;
  readonly runs: AgentRuns;
  readonly review: Review;
  readonly dataset: Dataset;
  readonly mcpTools: McpTools;
  readonly experiments: Experiments;
  readonly grants: Grants;
  readonly contents: Contents;
  readonly payloads: PayloadStore | undefined;
  readonly watch: Pick<ExecutionWatch, 'waitForEnd'>;
  /** If undefined, lists are read from `database`. */
  readonly readLists?: ReadLists | undefined;
  /**
   * Maximum number of held requests of this process. Above it, a run responds with `timeout` immediately. Default
   * 5,000.
   */
  readonly maxLongPolls?: number;
}

export const READ = { access: { by: 'key-or-session', scope: 'agents:read' } } as const;
/** For the state of an execution, which clients poll. */
export const POLL = { ...READ, limiting: 'poll' } as const;
export const RUN = { access: { by: 'key-or-session', scope: 'agents:run' } } as const;
export const WRITE = { access: { by: 'key-or-session', scope: 'agents:write' } } as const;
export const AGENT_TAGS = ['agents'];
export const AGENT_ERRORS = errorResponses(400, 401, 403, 404, 429, 503);

export const agentParams = z.strictObject({
  agentId: storableText(100).describe('Id (awf_…) or slug of the agent').meta({ example: 'triage' }),
});
export const executionParams = z.strictObject({
  executionId: storableText(100).describe('Id of the execution (exec_…)').meta({ example: 'exec_01' }),
});

/** Returns the caller. */
export function requesterOf(request: FastifyRequest): Requester {
  if (request.caller === undefined) throw apiError('unauthorized', 'a valid key or session is needed');
  return {
    caller: request.caller,
    origin: originOf(request),
    causation: causationOf(request.headers),
    trace: request.trace,
  };
}

/** Page of a list: `limit` up to `max`. */
export function pageOf(max: number) {
  return {
    limit: queryIntegerOr(50, { min: 1, max })
      .describe(`Maximum number of items, 1 to ${max}; default 50`)
      .meta({ example: 50 }),
    offset: queryIntegerOr(0, { min: 0, max: 999_999_999 })
      .describe('Number of items to skip; default 0')
      .meta({ example: 0 }),
  };
}
