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
import { tlsListener } from './plugins/tls-listener.ts';
import { tracing } from './plugins/tracing.ts';
import { type UploadRate, uploadRate } from './plugins/upload-rate.ts';
import type { ComponentChecks } from './ports.ts';
import type { CertificateFiles } from './tls/certificate.ts';

export interface BaseDeps {
  readonly logger: FastifyBaseLogger;
  /** Registry of the metrics that /metrics exposes. The app adds its own metrics. */
  readonly registry: Registry;
  /** Components that the process shares with other processes, such as stores, for /readyz. */
  readonly components: ComponentChecks;
  /** Components of the process itself, for /readyz. A process is ready only if none of them is down. */
  readonly own?: ComponentChecks | undefined;
  /** Default: off. */
  readonly tracing?: Tracing | undefined;
  /** True from the stop signal until the server closes. `/readyz` then responds with 503; all other requests are served. */
  readonly isDraining?: () => boolean;
  /** True for temporary errors of stores. */
  readonly isTemporary?: (error: unknown) => boolean;
  /** Maps an error of a subject to a refusal. */
  readonly refusalOf?: (error: unknown) => ApiError | undefined;
}

export interface BaseOptions {
  readonly bodyLimit?: number;
  /** Time that the server waits for responses in flight when it closes. Default 5 s. */
  readonly closeGraceMs?: number;
  /** Limits on the number of open connections and on their duration. */
  readonly connections?: ConnectionLimits | undefined;
  /** Files of the certificate with which `listenTls` serves. Undefined: no TLS. */
  readonly tls?: (CertificateFiles & { readonly pollMs?: number }) | undefined;
  /** Minimum rate at which bodies must arrive. */
  readonly uploadRate?: UploadRate | undefined;
  /** Access to /metrics. Default `anyone`, for a port that serves only the state of the process. */
  readonly metricsAccess?: Access;
  /** Registers the plugins that run before every route. Called before the first route is added. */
  readonly guard?: (app: ApiServer) => Promise<unknown>;
}

/** A topic name has up to 249 characters, and the id of a record contains one. */
const MAX_ID_CHARACTERS = 400;

/**
 * Builds the HTTP server that every process has: request ids, security headers, the error envelope, metrics, health,
 * graceful close.
 */
export async function buildBaseApp(deps: BaseDeps, options: BaseOptions = {}): Promise<ApiServer> {
  const { logger, registry, components, own = {}, isTemporary = () => false, refusalOf = () => undefined } = deps;
  const requestTracing = deps.tracing ?? NO_TRACING;
  const isDraining = deps.isDraining ?? (() => false);
  usePlainMessages();
  const createServer = createServers(registry, options.connections ?? {});
  const app = Fastify({
    loggerInstance: logger,
    // Request logging is off, because one line per request would dominate the log. The error plugin logs failures, and
    // metrics count requests.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    serverFactory: (handler) => createServer(handler),
    routerOptions: { maxParamLength: MAX_ID_CHARACTERS },
    return503OnClosing: false, // The plugin graceful-close responds instead, with the error envelope.
    ...(options.bodyLimit === undefined ? {} : { bodyLimit: options.bodyLimit }),
    // Handles requests that are refused before any hook runs, such as those with an invalid percent-encoding.
    frameworkErrors: (error, request, reply) => {
      app.identifyClient?.(request);
      app.watchRequest(request, reply as unknown as FastifyReply);
      reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
      sendRefusal(refusalFor(error, { isTemporary, refusalOf }), request, reply as unknown as FastifyReply);
    },
    clientErrorHandler: answerClientError,
  }).withTypeProvider<ZodTypeProvider>();
  // A server may ignore an expectation other than 100-continue (RFC 9110, 10.1.1). Node would respond without the
  // envelope.
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
  if (options.tls !== undefined) {
    const { pollMs, ...files } = options.tls;
    await app.register(tlsListener, { registry, files, pollMs, graceMs: options.closeGraceMs, createServer });
  }
  await app.register(metrics, {
    registry,
    access: options.metricsAccess ?? { by: 'anyone' },
    exemplars: requestTracing.isOn,
  });
  await app.register(health, { components, own, isDraining });
  observeComponents(registry, { ...components, ...own });
  return app;
}
