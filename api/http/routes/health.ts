import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ApiServer } from '../api-server.ts';

const storeState = z.enum(['ok', 'down', 'embedded']);
type StoreState = z.infer<typeof storeState>;
const diskState = z.enum(['ok', 'low', 'unknown']);
type DiskState = z.infer<typeof diskState>;

/** Called for every request. A rejection means down. */
export type StoreChecks = Readonly<
  Record<'postgres' | 'clickhouse' | 'redis' | 'kafka', () => Promise<StoreState> | StoreState>
> & {
  /** Free space of the data disks. */
  readonly disk: () => Promise<DiskState>;
  readonly landing: () => Promise<LandingState>;
};

interface LandingState {
  readonly failing: boolean;
  readonly lastLandedMs: number | undefined;
}

const UNKNOWN_LANDING: LandingState = { failing: true, lastLandedMs: undefined };

const answer = z.object({
  status: z
    .enum(['ok', 'degraded', 'down'])
    .describe(
      'down: PostgreSQL is unavailable; degraded: another store is unavailable, accepts no inserts, or its disk is nearly full; functions that do not need it continue',
    ),
  checks: z
    .object({ postgres: storeState, clickhouse: storeState, redis: storeState, kafka: storeState })
    .describe('ClickHouse is also down if it responds but accepts no inserts'),
  disk: diskState.describe('low: less free space than TRAPLINE_DISK_LOW_PERCENT; unknown: no disk can be checked'),
  landing: z
    .object({
      state: z.enum(['ok', 'failing']).describe('failing: this process has failed to store events for seconds'),
      lastAt: z.string().nullable().describe('when this process last stored events; null: not since its start'),
    })
    .describe('Storing of events by this process'),
});

/** Time after which a store without an answer counts as down. */
const CHECK_TIMEOUT_MS = 2_000;

/**
 * GET /api/health: the state of the stores, for load balancers. It contains no versions, hosts or error texts. 503
 * means that the process cannot serve any request; a load balancer then stops routing to it. While ClickHouse is
 * unavailable, accounts, keys, scrapers and executions continue, so the status stays 200.
 */
export function healthRoute(app: ApiServer, checks: StoreChecks): void {
  app.get(
    '/api/health',
    {
      logLevel: 'warn',
      config: { access: { by: 'anyone' }, limiting: 'none' },
      schema: {
        operationId: 'getHealth',
        summary: 'State of the stores',
        description:
          '`embedded`: this process runs the store itself, and the store is available. 503 while PostgreSQL is unavailable.',
        tags: ['operation'],
        response: {
          200: answer.describe('The process serves requests.'),
          503: answer.describe('PostgreSQL, which every request needs, is unavailable.'),
        },
      },
    },
    async (_request, reply) => {
      const [postgres, clickhouse, redis, kafka, disk, landing] = await Promise.all([
        stateOf(checks.postgres),
        stateOf(checks.clickhouse),
        stateOf(checks.redis),
        stateOf(checks.kafka),
        within(checks.disk, 'unknown'),
        within(checks.landing, UNKNOWN_LANDING),
      ]);
      const down = postgres === 'down';
      const degraded = [clickhouse, redis, kafka].includes('down') || disk === 'low' || landing.failing;
      reply.code(down ? 503 : 200);
      return {
        status: down ? 'down' : degraded ? 'degraded' : 'ok',
        checks: { postgres, clickhouse, redis, kafka },
        disk,
        landing: {
          state: landing.failing ? 'failing' : 'ok',
          lastAt: landing.lastLandedMs === undefined ? null : new Date(landing.lastLandedMs).toISOString(),
        },
      } as const;
    },
  );
}

type StoreCheck = () => Promise<StoreState> | StoreState;

function stateOf(check: StoreCheck): Promise<StoreState> {
  return within(check, 'down');
}

/** Returns the result of the check, or `otherwise` if it fails or times out. */
async function within<T>(check: () => Promise<T> | T, otherwise: T): Promise<T> {
  try {
    return await Promise.race([check(), delay(CHECK_TIMEOUT_MS, otherwise, { ref: false })]);
  } catch {
    return otherwise;
  }
}
