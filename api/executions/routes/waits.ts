import { Buffer } from 'node:buffer';
import { z } from 'zod';
import { actorOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { CURSOR_PAGE } from '#api/http/queries/page-query.ts';
import type { Database } from '#api/postgres/database.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { decisionBodySchema, decisionResponseSchema, waitSchema } from '#schemas/api/waits.ts';
import type { Decide, DecideRefusal } from '../approvals/decide.ts';
import { findVisibleExecution } from '../store/visible.ts';
import { countWaits, type ListedWait, listWaits, type WaitPlace, waitsOfExecution } from '../store/waits.ts';
import { noSuchExecution, READ, RUN } from './access.ts';

const query = z.strictObject({
  ...CURSOR_PAGE,
  execution: storableText(100).optional().describe('Only waits of this execution').meta({ example: 'exec_01' }),
});
const placeSchema = z.tuple([z.string().max(100), z.string().max(1000)]);

export interface WaitRoutesDeps {
  readonly database: Database;
  readonly decide: Decide;
}

/** Maximum count of waits. Larger counts are cut off. */
const MAX_COUNT = 100;
const errors = errorResponses(400, 401, 403, 404, 429, 503);

/**
 * GET /api/v1/waits: what executions wait for; …/count; POST …/decide. Events other than decisions go to POST
 * /api/v1/events. Long: each route includes its description.
 */
export function waitRoutes(app: ApiServer, { database, decide }: WaitRoutesDeps): void {
  app.get(
    '/api/v1/waits',
    {
      config: READ,
      schema: {
        operationId: 'listWaits',
        summary: 'List waiting executions',
        description:
          "Executions in a `listen`, and runs of agents with a call of a tool that needs an approval, that the caller may decide, the newest executions first: those for which the workflow names the caller (by user, team or role); of those for which it names no approvers, the caller's own, those of workflows that a grant lets the caller approve, and all for administrators. A decision goes to `/api/v1/waits/decide`; where no approvers are named, the event may also go to `/api/v1/events`. With `execution`: all waits of this execution, if the caller may read it.",
        tags: ['workflows'],
        querystring: query,
        response: {
          200: z
            .object({ data: z.array(waitSchema), limit: z.int(), nextCursor: z.string().nullable() })
            .describe('Waits.'),
          ...errors,
        },
      },
    },
    async (request) => {
      const { limit, cursor, execution } = request.query;
      const viewer = viewerOf(request);
      if (execution !== undefined) {
        if ((await findVisibleExecution(database, viewer, execution)) === undefined) throw noSuchExecution();
        const all = await waitsOfExecution(database, viewer, execution);
        return { data: all.map(waitRecord), limit: all.length, nextCursor: null };
      }
      const rows = await listWaits(database, viewer, { limit: limit + 1, after: placeOf(cursor) });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.map(waitRecord),
        limit,
        nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null,
      };
    },
  );

  app.get(
    '/api/v1/waits/count',
    {
      config: READ,
      schema: {
        operationId: 'countWaits',
        summary: 'Count waits that the caller may decide',
        description: `Number of executions that wait for a decision of the caller, up to ${MAX_COUNT}.`,
        tags: ['workflows'],
        response: { 200: z.object({ count: z.int() }).describe('The number.'), ...errors },
      },
    },
    async (request) => ({ count: await countWaits(database, viewerOf(request), MAX_COUNT) }),
  );

  app.post(
    '/api/v1/waits/decide',
    {
      config: RUN,
      schema: {
        operationId: 'decideWait',
        summary: 'Approve or reject',
        description:
          'Approves or rejects a waiting execution. The service builds the event that continues it: `data` has `approved`, `by`, `approvers` and `note`. Permissions are checked now. Earlier approvals count only while their users may still decide. A wait that the caller may not see is a 404.',
        tags: ['workflows'],
        body: decisionBodySchema,
        response: { 200: decisionResponseSchema.describe('The result of the decision.'), ...errors },
      },
    },
    async (request) => {
      const by = { viewer: viewerOf(request), actor: actorOf(request.caller), origin: originOf(request) };
      const decided = await decide(request.body, by);
      return decided.outcome === 'refused' ? refuse(decided.reason) : decided;
    },
  );
}

function waitRecord(listed: ListedWait): z.input<typeof waitSchema> {
  const { executionId, wait, step, mode, filters, createdAt, input, policy, decisions, mayDecide, ...row } = listed;
  const { kind, unitId: id, slug: name, title, summary, toolCall } = row;
  const unit = { id, name, title, summary };
  return {
    executionId,
    wait,
    step,
    mode,
    filters: filters.map(({ with: attributes, correlate }) => ({
      with: { ...attributes },
      correlate: { ...correlate },
    })),
    since: createdAt.toISOString(),
    workflow: kind === 'workflow' ? unit : null,
    agent: kind === 'agent' ? unit : null,
    toolCall: toolCall === null ? null : { ...toolCall, expiresAt: new Date(toolCall.expiresAt).toISOString() },
    ...(input === null ? {} : { input }),
    approval:
      policy === null ? null : { approvers: [...policy.approvers], except: [...policy.except], count: policy.count },
    decisions: decisions.map((decision) => ({ ...decision })),
    mayDecide,
  };
}

const REFUSED: Readonly<Record<Exclude<DecideRefusal, 'invisible'>, string>> = {
  'not-named': 'the workflow or agent names other approvers',
  starter: 'the user who started the execution cannot approve it: another approver has to decide',
  'last-editor': 'the author of this version cannot approve it: another approver has to decide',
  decided: 'it is decided already, or you have decided',
  'service-event': 'this step waits for an event that only the service itself sends',
  'event-needed': 'the filter of this step accepts several events: send the event to /api/v1/events',
};

function refuse(reason: DecideRefusal): never {
  if (reason === 'invisible') throw apiError('not_found', 'there is no such wait', 'wait');
  const isForbidden = reason === 'not-named' || reason === 'starter' || reason === 'last-editor';
  throw apiError(isForbidden ? 'forbidden' : 'invalid_value', REFUSED[reason], 'wait');
}

function cursorOf({ executionId, wait }: WaitPlace): string {
  return Buffer.from(JSON.stringify([executionId, wait])).toString('base64url');
}

function placeOf(cursor: string | undefined): WaitPlace | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [executionId, wait] = placeSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    if (!`${executionId}${wait}`.includes('\0')) return { executionId, wait };
  } catch {
    // Rejected below.
  }
  throw apiError('invalid_value', 'the cursor does not belong to this list', 'cursor');
}
