import fp from 'fastify-plugin';
import { z } from 'zod';
import type { ApiServer } from '../api-server.ts';
import { createReadiness, type ReadinessParts } from '../readiness.ts';

const OPEN = { logLevel: 'warn', config: { access: { by: 'anyone' }, limiting: 'none' } } as const;
const stateSchema = z.enum(['ok', 'degraded', 'down']);
const readySchema = z.object({
  status: stateSchema.describe(
    '`down`: route no requests to this process; `degraded`: it serves requests, but a component is not `ok`',
  ),
  components: z.record(z.string(), stateSchema).describe('includes stores that all processes share'),
});
const ALIVE = {
  operationId: 'getLiveness',
  summary: 'Liveness of the process',
  description: 'Responds whenever the process can respond. If it does, a restart would change nothing.',
  tags: ['operation'],
  response: { 200: z.object({ status: z.literal('ok') }).describe('The process is alive.') },
};
const READY = {
  operationId: 'getReadiness',
  summary: 'Readiness of the process',
  description:
    'A store that is unavailable for all processes is reported in `components`, but does not make a started process unready. Contains no hosts, versions or error texts.',
  tags: ['operation'],
  response: {
    200: readySchema.describe('The process is ready. Requests that need an unavailable store get 503.'),
    503: readySchema.describe('The process is starting or stopping, or one of its own components is down.'),
  },
};

/**
 * `/healthz`: the process responds, so a restart would change nothing. `/readyz`: the process should receive requests;
 * see `createReadiness`. Both are open to load balancers and contain only states: no hosts, versions or error texts.
 */
export const health = fp<ReadinessParts>(
  async (instance, parts) => {
    const app: ApiServer = instance;
    app.get('/healthz', { ...OPEN, schema: ALIVE }, async () => ({ status: 'ok' as const }));
    const readiness = createReadiness(parts);
    // Runs the first check at the start, so that components count as seen working even if the first probe arrives late.
    app.addHook('onListen', async () => void readiness());
    app.get('/readyz', { ...OPEN, schema: READY }, async (_request, reply) => {
      const { status, components } = await readiness();
      reply.code(status === 'down' ? 503 : 200);
      return { status, components: { ...components } };
    });
  },
  { name: 'health' },
);
