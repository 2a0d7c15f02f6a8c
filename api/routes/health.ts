import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ApiServer } from '../http/api-server.ts';

const storeState = z.enum(['ok', 'down', 'embedded']);
type StoreState = z.infer<typeof storeState>;

/** Asked with every request. Rejecting means down. */
export type StoreChecks = Readonly<
  Record<'postgres' | 'clickhouse' | 'redis' | 'kafka', () => Promise<StoreState> | StoreState>
>;

const answer = z.object({
  status: z
    .enum(['ok', 'degraded', 'down'])
    .describe('down: PostgreSQL is away; degraded: another store is, and what does not need it goes on'),
  checks: z.object({ postgres: storeState, clickhouse: storeState, redis: storeState, kafka: storeState }),
});

/** A store that does not say how it is within this time is down. */
const CHECK_TIMEOUT_MS = 2_000;

/**
 * GET /api/health: the state of the stores, for load balancers. No versions, hosts or error texts. 503 is for a process that can do nothing
 * for anybody: a balancer sends nobody there. While ClickHouse is away accounts, keys, scrapers and executions go on, so that is no reason.
 */
export function healthRoute(app: ApiServer, checks: StoreChecks): void {
  app.get(
    '/api/health',
    {
      logLevel: 'warn',
      config: { access: { by: 'anyone' }, limiting: 'none' },
      schema: {
        summary: 'State of the stores',
        description: '`embedded`: this process runs the store itself, and it answers. 503 while PostgreSQL is away.',
        tags: ['operation'],
        response: {
          200: answer.describe('It serves.'),
          503: answer.describe('The store it can do nothing without is away.'),
        },
      },
    },
    async (_request, reply) => {
      const [postgres, clickhouse, redis, kafka] = await Promise.all([
        stateOf(checks.postgres),
        stateOf(checks.clickhouse),
        stateOf(checks.redis),
        stateOf(checks.kafka),
      ]);
      const down = postgres === 'down';
      const degraded = clickhouse === 'down' || redis === 'down' || kafka === 'down';
      reply.code(down ? 503 : 200);
      return {
        status: down ? 'down' : degraded ? 'degraded' : 'ok',
        checks: { postgres, clickhouse, redis, kafka },
      } as const;
    },
  );
}

async function stateOf(check: StoreChecks[keyof StoreChecks]): Promise<StoreState> {
  try {
    return await Promise.race([check(), delay(CHECK_TIMEOUT_MS, 'down' as const, { ref: false })]);
  } catch {
    return 'down';
  }
}
