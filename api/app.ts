import type { FastifyInstance } from 'fastify';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { isTemporary } from '#analytics/clickhouse/failure.ts';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { type BaseDeps, buildBaseApp } from './base-app.ts';
import { createByteBudget } from './http/byte-budget.ts';
import { eventBody } from './plugins/event-body.ts';
import { operatorKey } from './plugins/operator-key.ts';
import type { Demo, Redrive, SubmitEvents } from './ports.ts';
import { deadLetterRoutes } from './routes/dead-letters.ts';
import { demoRoutes } from './routes/demo.ts';
import { detectionRoutes } from './routes/detections.ts';
import { eventRoutes } from './routes/events.ts';
import { submitEventsRoute } from './routes/events-submit.ts';
import { rulesRoute } from './routes/rules.ts';

export interface AppDeps extends BaseDeps {
  /** Where lists are read from. */
  readonly clickhouse: ClickHouse;
  readonly submitEvents: SubmitEvents;
  readonly redrive: Redrive;
  /** The thresholds and exceptions this process runs its rules with. */
  readonly rules: DetectionSettings;
  readonly demo?: Demo | undefined;
}

export interface AppOptions {
  readonly operatorKey: string;
  /** Of one request body, decompressed. Default 32 MiB. */
  readonly maxBodyBytes?: number;
  /** Of all request bodies in memory; beyond it requests are told 429. Default 64 MiB. */
  readonly maxBodiesBytes?: number;
  /** How long closing waits for answers under way. Default 5 s. */
  readonly closeGraceMs?: number;
}

/** Builds the server, for production and tests alike. It listens when the caller says so. */
export async function buildApp(deps: AppDeps, options: AppOptions): Promise<FastifyInstance> {
  const { maxBodyBytes = 32 * 2 ** 20, maxBodiesBytes = 64 * 2 ** 20, closeGraceMs } = options;
  const app = await buildBaseApp({ isTemporary, ...deps }, closeGraceMs === undefined ? {} : { closeGraceMs });
  await app.register(async (guarded) => {
    await guarded.register(operatorKey, { operatorKey: options.operatorKey });
    await guarded.register(async (scope) => {
      await scope.register(eventBody, { limits: { maxBodyBytes, budget: createByteBudget(maxBodiesBytes) } });
      submitEventsRoute(scope, deps.submitEvents);
    });
    eventRoutes(guarded, deps.clickhouse);
    detectionRoutes(guarded, deps.clickhouse);
    deadLetterRoutes(guarded, deps.clickhouse, deps.redrive);
    rulesRoute(guarded, deps.rules);
    if (deps.demo !== undefined) demoRoutes(guarded, deps.demo);
  });
  return app;
}
