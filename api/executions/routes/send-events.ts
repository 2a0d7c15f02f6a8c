import { z } from 'zod';
import { userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { readJsonBodies } from '#api/http/plugins/json-body.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import { cloudEventSchema, sendEventsResponseSchema } from '#schemas/api/cloud-events.ts';
import { causationOf } from '../engine/causation.ts';
import { type CloudEvent, OWN_TYPES } from '../engine/contract/cloud-event.ts';
import type { Executions } from '../engine/executions.ts';
import { RUN } from './access.ts';

const MAX_EVENTS = 100;
/** One event or several, for any content type. */
const bodySchema = z.union([cloudEventSchema, z.array(cloudEventSchema).min(1).max(MAX_EVENTS)]);

/**
 * POST /api/v1/events: CloudEvents for waiting executions, in structured mode or as a batch. Adds parsers for their
 * content types to the current scope.
 */
export function sendEventsRoute(app: ApiServer, { executions }: { readonly executions: Executions }): void {
  readJsonBodies(app, ['application/cloudevents+json', 'application/cloudevents-batch+json']);

  app.post(
    '/api/v1/events',
    {
      config: RUN,
      schema: {
        operationId: 'sendExecutionEvents',
        summary: 'Send events to executions',
        description:
          'CloudEvents 1.0 with JSON data: one (`application/cloudevents+json` or `application/json`) or a list of up to 100 (`application/cloudevents-batch+json`). They reach executions of the caller that wait for them, or that begin to wait within a day. Events of an administrator reach all executions. An event is identified by source and id: a repeated event counts once.',
        tags: ['workflows'],
        body: bodySchema,
        response: {
          202: sendEventsResponseSchema.describe('They are stored and will be delivered.'),
          ...errorResponses(400, 401, 403, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { administrator } = viewerOf(request);
      const { caller } = request;
      const events = (Array.isArray(request.body) ? request.body : [request.body]) as readonly CloudEvent[];
      const own = events.findIndex(({ type }) => type.toLowerCase().startsWith(OWN_TYPES));
      if (own >= 0)
        throw apiError(
          'invalid_value',
          `types that begin with ${OWN_TYPES} are reserved for the service`,
          Array.isArray(request.body) ? `${own}.type` : 'type',
        );
      const ownerId = administrator ? undefined : ((caller && userOf(caller)) ?? null);
      // Counted like events that executions emit: an execution that they start is one level deeper.
      const causation = Math.max(0, causationOf(request.headers) - 1);
      let accepted = 0;
      for (const event of events) if (await executions.publish(event, ownerId, causation)) accepted += 1;
      return reply.code(202).send({ accepted, duplicates: events.length - accepted });
    },
  );
}
