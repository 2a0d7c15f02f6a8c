import fp from 'fastify-plugin';
import { z } from 'zod';
import type { ApiServer } from '../api-server.ts';
import { componentStates } from '../component-states.ts';
import type { ComponentChecks, ComponentState } from '../ports.ts';

export interface HealthOptions {
  readonly components: ComponentChecks;
  /** The process received a signal to stop and serves until load balancers have noticed. */
  readonly isDraining: () => boolean;
}

const OPEN = { logLevel: 'warn', config: { access: { by: 'anyone' }, limiting: 'none' } } as const;
const stateSchema = z.enum(['ok', 'degraded', 'down']);
const readySchema = z.object({
  status: stateSchema.describe('the worst of them'),
  components: z.record(z.string(), stateSchema),
});
const ALIVE = {
  operationId: 'getLiveness',
  summary: 'Is the process alive',
  description: 'Answers whenever the process does: restarting it would change nothing.',
  tags: ['operation'],
  response: { 200: z.object({ status: z.literal('ok') }).describe('It is.') },
};
const READY = {
  operationId: 'getReadiness',
  summary: 'Can the process do its work',
  description: 'States of what it depends on, without hosts, versions or error texts.',
  tags: ['operation'],
  response: {
    200: readySchema.describe('It can, perhaps slower or without something.'),
    503: readySchema.describe('A component that the process needs is unavailable, or the process is about to stop.'),
  },
};

/**
 * `/healthz`: the process answers, restarting it would change nothing. `/readyz`: it can do its work; 503 while a component
 * is down or the process drains. Both are open to load balancers: states only, no hosts, versions or error texts.
 */
export const health = fp<HealthOptions>(
  async (instance, { components, isDraining }) => {
    const app: ApiServer = instance;
    app.get('/healthz', { ...OPEN, schema: ALIVE }, async () => ({ status: 'ok' as const }));
    app.get('/readyz', { ...OPEN, schema: READY }, async (_request, reply) => {
      const states = await componentStates(components);
      const worst = isDraining() ? 'down' : worstOf(Object.values(states));
      reply.code(worst === 'down' ? 503 : 200);
      return { status: worst, components: states };
    });
  },
  { name: 'health' },
);

function worstOf(states: readonly ComponentState[]): ComponentState {
  return states.find((state) => state === 'down') ?? states.find((state) => state === 'degraded') ?? 'ok';
}
