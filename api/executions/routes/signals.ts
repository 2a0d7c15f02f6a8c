import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { principalOf } from '#api/http/access/caller.ts';
import { requireScope } from '#api/http/access/missing-scope.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { queryInteger } from '#api/http/queries/query-values.ts';
import { createLongPoll } from '#api/http/responses/long-poll.ts';
import type { Database } from '#api/postgres/database.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import { cloudEventSchema, signalResponseSchema } from '#schemas/api/cloud-events.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { causationOf } from '../engine/causation.ts';
import { type CloudEvent, OWN_TYPES } from '../engine/contract/cloud-event.ts';
import type { Executions } from '../engine/executions.ts';
import { MAX_REPLIED_ID } from '../engine/writes/reply.ts';
import { findSignalState } from '../store/replies.ts';
import { findVisibleExecution } from '../store/visible.ts';
import type { ExecutionWatch } from '../watch/port.ts';
import { executionParams, noSuchExecution } from './access.ts';

const RUN = { access: { by: 'key-or-session', scope: 'workflows:run', or: 'agents:run' } } as const;
const MAX_WAIT_SECONDS = 60;
const tags = ['workflows'];
const errors = errorResponses(400, 401, 403, 404, 429, 503);
const query = z.strictObject({
  wait_for_reply: queryInteger({ min: 0, max: MAX_WAIT_SECONDS })
    .optional()
    .describe('Seconds to wait for the reply, at most 60; by default 0')
    .meta({ example: 30 }),
});
const replyParams = executionParams.extend({
  eventId: storableText(MAX_REPLIED_ID).describe('Id of the event').meta({ example: 'approve-1' }),
});

export interface SignalRoutesDeps {
  readonly database: Database;
  readonly executions: Pick<Executions, 'signal'>;
  readonly watch: Pick<ExecutionWatch, 'waitForReply'>;
}

type SignalResponse = z.infer<typeof signalResponseSchema>;

/**
 * POST /api/v1/executions/{executionId}/signals and GET …/signals/{eventId}: an event for one execution, and its reply.
 * Callers who may send it may read the reply. Needs the content types that `sendEventsRoute` adds to the current scope.
 */
export function signalRoutes(app: ApiServer, { database, executions, watch }: SignalRoutesDeps): void {
  const hold = createLongPoll();

  app.post(
    '/api/v1/executions/:executionId/signals',
    {
      config: RUN,
      schema: {
        operationId: 'signalExecution',
        summary: 'Send an event to one execution',
        description:
          'One CloudEvent 1.0 with JSON data. It reaches only `listen` tasks of this execution: those that wait, and those that begin to wait within a day. It starts no workflow. The reply is the first event that the execution emits with the id of this event as its attribute `causationid`. With `wait_for_reply` the connection is held until the reply, the end of the execution or the time is up, with a space every 15 seconds before the body. An event is identified by source and id: a repeated event counts once, and the second request has the same reply. Needs the permission to cancel the execution. Executions of agents need the scope agents:run, those of workflows workflows:run.',
        tags,
        params: executionParams,
        querystring: query,
        body: cloudEventSchema,
        response: {
          202: signalResponseSchema.describe(
            'It is stored and will be delivered. `location` is the route of the reply.',
          ),
          ...errors,
        },
      },
    },
    async (request, reply) => {
      const { executionId } = request.params;
      await requireRight(database, request, executionId);
      const event = request.body as CloudEvent;
      if (event.type.toLowerCase().startsWith(OWN_TYPES))
        throw apiError('invalid_value', `types that begin with ${OWN_TYPES} are reserved for the service`, 'type');
      if (event.id.length > MAX_REPLIED_ID)
        throw apiError('invalid_value', `must have at most ${MAX_REPLIED_ID} characters`, 'id');
      const causation = Math.max(0, causationOf(request.headers) - 1);
      const outcome = await executions.signal(executionId, event, causation);
      if (outcome === 'unknown') throw noSuchExecution();
      if (outcome === 'ended') throw apiError('invalid_value', 'the execution has ended and accepts no events');
      if (outcome === 'conflict') throw apiError('invalid_value', 'another event has this id', 'id');
      reply.code(202).header('location', pathOf(executionId, event.id));
      return answer(request, reply, { executionId, eventId: event.id });
    },
  );

  app.get(
    '/api/v1/executions/:executionId/signals/:eventId',
    {
      config: { ...RUN, limiting: 'poll' },
      schema: {
        operationId: 'getSignalReply',
        summary: 'Read the reply to an event of one execution',
        description:
          'State of an event that the execution received, and its reply. Both are kept as long as the execution. `wait_for_reply` as in the route that sends events.',
        tags,
        params: replyParams,
        querystring: query,
        response: { 200: signalResponseSchema.describe('The result.'), ...errors },
      },
    },
    async (request, reply) => {
      const { executionId, eventId } = request.params;
      await requireRight(database, request, executionId);
      return answer(request, reply, { executionId, eventId });
    },
  );

  /** Returns the state of the event, now or after the wait. */
  async function answer(
    request: FastifyRequest<{ Querystring: unknown }>,
    reply: FastifyReply,
    wanted: { readonly executionId: string; readonly eventId: string },
  ): Promise<SignalResponse> {
    const now = await stateOf(database, wanted);
    const { wait_for_reply: seconds = 0 } = request.query as z.infer<typeof query>;
    if (seconds === 0 || now.state !== 'pending') return now;
    const body = hold(principalOf(request.caller), async (signal) => {
      await watch.waitForReply(wanted, { ms: seconds * 1_000, signal });
      // The event is already stored. If its state cannot be read, the client asks again.
      return stateOf(database, wanted).catch(() => now);
    });
    if (body === undefined) return now;
    return reply.type('application/json; charset=utf-8').send(body) as never;
  }
}

async function stateOf(
  database: Database,
  { executionId, eventId }: { readonly executionId: string; readonly eventId: string },
): Promise<SignalResponse> {
  const found = await findSignalState(database, executionId, eventId);
  if (found === undefined)
    throw apiError('not_found', 'the execution has no event with this id that was sent only to it');
  const { status, hasEnded, isReplied, reply } = found;
  const state = isReplied ? (reply === null ? 'too-large' : 'replied') : hasEnded ? 'ended' : 'pending';
  return { executionId, eventId, state, executionStatus: status, reply: reply as SignalResponse['reply'] };
}

/** Rejects unless the caller may change the execution. */
async function requireRight(database: Database, request: FastifyRequest, id: string): Promise<void> {
  const found = await findVisibleExecution(database, viewerOf(request), id);
  if (found === undefined) throw noSuchExecution();
  requireScope(request.caller, `${found.kind}s:run`);
  if (!found.mayChange)
    throw apiError('forbidden', 'you may read this execution, but not change it: its owner can grant `run`');
}

function pathOf(executionId: string, eventId: string): string {
  return `/api/v1/executions/${encodeURIComponent(executionId)}/signals/${encodeURIComponent(eventId)}`;
}
