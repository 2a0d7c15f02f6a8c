import Fastify, { type FastifyBaseLogger, type FastifyReply, LogController } from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Registry } from 'prom-client';
import { usePlainMessages } from '#schemas/plain-message.ts';
import { NO_TRACING, type Tracing } from '#schemas/tracing/tracing.ts';
import type { Access } from './access/access.ts';
import type { ApiError } from './api-error.ts';
import type { ApiServer } from './api-server.ts';
import { answerClientError } from './client-error.ts';
import { validatorCompiler } from './compilers.ts';
import { type ConnectionLimits, createServers } from './connection-limits.ts';
import { observeComponents } from './observe-components.ts';
import { errors, refusalFor, sendRefusal } from './plugins/errors.ts';
import { gracefulClose } from './plugins/graceful-close.ts';
import { health } from './plugins/health.ts';
import { hostHeader } from './plugins/host-header.ts';
import { jsonBody } from './plugins/json-body.ts';
import { metrics } from './plugins/metrics.ts';
import { requestEnd } from './plugins/request-end.ts';
import { requestId, requestIdOf } from './plugins/request-id.ts';
import { SECURITY_HEADERS, securityHeaders } from './plugins/security-headers.ts';
import { tracing } from './plugins/tracing.ts';
import { type UploadRate, uploadRate } from './plugins/upload-rate.ts';
import type { ComponentChecks } from './ports.ts';

export interface BaseDeps {
  readonly logger: FastifyBaseLogger;
  /** What /metrics shows; the app adds its own. */
  readonly registry: Registry;
  /** What the process shares with others, such as stores, for /readyz. */
  readonly components: ComponentChecks;
  /** Parts of the process itself, for /readyz: none may be down while it is ready. */
  readonly own?: ComponentChecks | undefined;
  /** Default: off. */
  readonly tracing?: Tracing | undefined;
  /** True from the signal to stop until the server closes: `/readyz` responds with 503, every other request is served. */
  readonly isDraining?: () => boolean;
  /** True for errors of stores that pass by themselves. */
  readonly isTemporary?: (error: unknown) => boolean;
  /** The refusals that errors of the subjects stand for. */
  readonly refusalOf?: (error: unknown) => ApiError | undefined;
}

export interface BaseOptions {
  readonly bodyLimit?: number;
  /** How long closing waits for responses in flight. Default 5 s. */
  readonly closeGraceMs?: number;
  /** How many connections may be open, and how long they may take. */
  readonly connections?: ConnectionLimits | undefined;
  /** How fast bodies must arrive. */
  readonly uploadRate?: UploadRate | undefined;
  /** Who may read /metrics. Default anyone: on a port that serves nothing but the state of the process. */
  readonly metricsAccess?: Access;
  /** What stands before every route; added before the first of them. */
  readonly guard?: (app: ApiServer) => Promise<unknown>;
}

/** Topic names have up to 249 characters, and a record's id holds one. */
const MAX_ID_CHARACTERS = 400;

/** What every HTTP side of the product has: request ids, security headers, the error envelope, metrics, health, a clean end. */
export async function buildBaseApp(deps: BaseDeps, options: BaseOptions = {}): Promise<ApiServer> {
  const { logger, registry, components, own = {}, isTemporary = () => false, refusalOf = () => undefined } = deps;
  const requestTracing = deps.tracing ?? NO_TRACING;
  const isDraining = deps.isDraining ?? (() => false);
  usePlainMessages();
  const app = Fastify({
    loggerInstance: logger,
    // One line a request would be most of the log; failures are logged by the error plugin, counts are metrics.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    serverFactory: createServers(registry, options.connections ?? {}),
    routerOptions: { maxParamLength: MAX_ID_CHARACTERS },
    return503OnClosing: false, // the plugin graceful-close answers, in our envelope
    ...(options.bodyLimit === undefined ? {} : { bodyLimit: options.bodyLimit }),
    // What is refused before any hook runs, such as an address that can't be decoded.
    frameworkErrors: (error, request, reply) => {
      app.identifyClient?.(request);
      app.watchRequest(request, reply as unknown as FastifyReply);
      reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
      sendRefusal(refusalFor(error, { isTemporary, refusalOf }), request, reply as unknown as FastifyReply);
    },
    clientErrorHandler: answerClientError,
  }).withTypeProvider<ZodTypeProvider>();
  // An expectation other than 100-continue may be passed over (RFC 9110, 10.1.1); Node would answer it bare.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(requestId);
  await app.register(requestEnd);
  await app.register(tracing, { tracing: requestTracing });
  await app.register(securityHeaders);
  await app.register(errors, { isTemporary, refusalOf });
  await app.register(uploadRate, options.uploadRate ?? {});
  await app.register(jsonBody);
  await options.guard?.(app);
  await app.register(hostHeader);
  await app.register(gracefulClose, { isDraining, graceMs: options.closeGraceMs });
  await app.register(metrics, {
    registry,
    access: options.metricsAccess ?? { by: 'anyone' },
    exemplars: requestTracing.isOn,
  });
  await app.register(health, { components, own, isDraining });
  observeComponents(registry, { ...components, ...own });
  return app;
}
