import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply } from 'fastify';
import type { Registry } from 'prom-client';
import { createByteBudget } from './http/byte-budget.ts';
import { answerClientError } from './http/client-error.ts';
import { errors, refusalFor, sendRefusal } from './plugins/errors.ts';
import { eventBody } from './plugins/event-body.ts';
import { gracefulClose } from './plugins/graceful-close.ts';
import { health } from './plugins/health.ts';
import { metrics } from './plugins/metrics.ts';
import { operatorKey } from './plugins/operator-key.ts';
import { requestId, requestIdOf } from './plugins/request-id.ts';
import { securityHeaders } from './plugins/security-headers.ts';
import type { ComponentChecks, SubmitEvents } from './ports.ts';
import { submitEventsRoute } from './routes/events-submit.ts';

export interface AppDeps {
  readonly logger: FastifyBaseLogger;
  /** What /metrics shows; the app adds its own. */
  readonly registry: Registry;
  /** What /readyz asks. */
  readonly components: ComponentChecks;
  readonly submitEvents: SubmitEvents;
  /** True for errors of stores that pass by themselves. */
  readonly isTemporary: (error: unknown) => boolean;
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
  const { maxBodyBytes = 32 * 2 ** 20, maxBodiesBytes = 64 * 2 ** 20 } = options;
  const app = Fastify({
    loggerInstance: deps.logger,
    genReqId: requestIdOf,
    // Long enough for a large body over a slow line, short enough that a sender that stalls does not keep its place.
    requestTimeout: 120_000,
    bodyLimit: maxBodyBytes,
    return503OnClosing: false, // the plugin graceful-close answers, in our envelope
    // What is refused before any hook runs, such as an address that can't be decoded.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      sendRefusal(refusalFor(error, deps.isTemporary), request, reply as unknown as FastifyReply);
    },
    clientErrorHandler: answerClientError,
  });

  await app.register(requestId);
  await app.register(securityHeaders);
  await app.register(errors, { isTemporary: deps.isTemporary });
  await app.register(gracefulClose, options.closeGraceMs === undefined ? {} : { graceMs: options.closeGraceMs });
  await app.register(metrics, { registry: deps.registry });
  await app.register(health, { components: deps.components });

  await app.register(async (guarded) => {
    await guarded.register(operatorKey, { operatorKey: options.operatorKey });
    await guarded.register(async (scope) => {
      await scope.register(eventBody, { limits: { maxBodyBytes, budget: createByteBudget(maxBodiesBytes) } });
      submitEventsRoute(scope, deps.submitEvents);
    });
  });
  return app;
}
