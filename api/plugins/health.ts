import { setTimeout as delay } from 'node:timers/promises';
import fp from 'fastify-plugin';
import type { ComponentChecks, ComponentState } from '../ports.ts';

export interface HealthOptions {
  readonly components: ComponentChecks;
}

/** A component that does not say how it is within this time is down. */
const CHECK_TIMEOUT_MS = 2_000;

/**
 * `/healthz`: the process answers, restarting it would change nothing. `/readyz`: it can do its work; 503 while a component
 * is down. Both are open to load balancers: states only, no hosts, versions or error texts.
 */
export const health = fp<HealthOptions>(
  async (app, { components }) => {
    app.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'ok' }));
    app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
      const states = Object.fromEntries(
        await Promise.all(
          Object.entries(components).map(async ([name, check]) => [name, await stateOf(check)] as const),
        ),
      );
      const worst = worstOf(Object.values(states));
      reply.code(worst === 'down' ? 503 : 200);
      return { status: worst, components: states };
    });
  },
  { name: 'health' },
);

async function stateOf(check: ComponentChecks[string]): Promise<ComponentState> {
  try {
    return await Promise.race([check(), delay(CHECK_TIMEOUT_MS, 'down' as const, { ref: false })]);
  } catch {
    return 'down';
  }
}

function worstOf(states: readonly ComponentState[]): ComponentState {
  return states.find((state) => state === 'down') ?? states.find((state) => state === 'degraded') ?? 'ok';
}
