import type { FastifyInstance } from 'fastify';
import type { Demo } from '../ports.ts';

/** POST /api/demo replays the bundled capture as if it had just happened; DELETE /api/demo takes all traces of it away. */
export function demoRoutes(app: FastifyInstance, demo: Demo): void {
  app.post('/api/demo', async () => ({ events: await demo.replay() }));
  app.delete('/api/demo', async (_request, reply) => {
    await demo.remove();
    return reply.code(204).send();
  });
}
