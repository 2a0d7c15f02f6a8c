import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { errors } from './plugins/errors.ts';
import { health } from './plugins/health.ts';
import { metrics } from './plugins/metrics.ts';
import { requestId, requestIdOf } from './plugins/request-id.ts';
import { securityHeaders } from './plugins/security-headers.ts';
import type { ComponentChecks } from './ports.ts';

export interface StatusAppDeps {
  readonly logger: FastifyBaseLogger;
  readonly registry: Registry;
  readonly components: ComponentChecks;
}

/** What a process without an API of its own shows: health, readiness and metrics. */
export async function buildStatusApp({ logger, registry, components }: StatusAppDeps): Promise<FastifyInstance> {
  const app = Fastify({ loggerInstance: logger, genReqId: requestIdOf });
  await app.register(requestId);
  await app.register(securityHeaders);
  await app.register(errors, { isTemporary: () => false });
  await app.register(metrics, { registry });
  await app.register(health, { components });
  return app;
}
