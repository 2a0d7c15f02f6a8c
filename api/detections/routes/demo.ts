import { z } from 'zod';
import type { RecordChange } from '#api/audit/record-change.ts';
import { actorOf } from '#api/http/access/caller.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { Demo } from '#api/http/ports.ts';

const config = { access: { by: 'admin' } } as const;
const DEMO = { target: 'demo' } as const;

/** POST /api/demo replays the bundled capture with present timestamps. DELETE /api/demo removes all its data. */
export function demoRoutes(app: ApiServer, demo: Demo, recordChange: RecordChange): void {
  app.post(
    '/api/demo',
    {
      config,
      schema: {
        operationId: 'startDemo',
        summary: 'Replay the bundled attack',
        description: 'Replays the bundled capture of a real attack with present timestamps, as host `demo`.',
        tags: ['detection service'],
        response: {
          200: z.object({ events: z.int().describe('number of stored events') }).describe('The events are stored.'),
          ...errorResponses(401, 403, 429, 503),
        },
      },
    },
    async (request) => {
      await recordChange({ ...DEMO, action: 'demo.replay', actor: actorOf(request.caller), origin: originOf(request) });
      return { events: await demo.replay() };
    },
  );
  app.delete(
    '/api/demo',
    {
      config,
      schema: {
        operationId: 'deleteDemo',
        summary: 'Remove the bundled attack',
        description: 'Removes all data of the bundled capture.',
        tags: ['detection service'],
        response: { 204: z.undefined().describe('The data is removed.'), ...errorResponses(401, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      await recordChange({ ...DEMO, action: 'demo.remove', actor: actorOf(request.caller), origin: originOf(request) });
      await demo.remove();
      return reply.code(204).send();
    },
  );
}
