import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { parseTraceContext, TRACE_HEADERS, type TraceContext } from '#schemas/tracing/trace-context.ts';
import { type Span, type Tracing, traceFields } from '#schemas/tracing/tracing.ts';
import { routeName } from '../route-name.ts';
import type {} from './request-end.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Trace context of the request. Undefined while tracing is off. */
    trace: TraceContext | undefined;
    traceSpan: Span | undefined;
  }
}

/** Frequent probes and scrapes are not traced. */
const NOT_TRACED = new Set(['/healthz', '/readyz', '/metrics', '/api/health', '/api/prometheus', '/api/status']);

/**
 * Creates a span for each request, which continues the trace of the client's `traceparent`. The span has the name of
 * the route, never the path. Log entries of the request contain the ids of the trace.
 */
export const tracing = fp<{ readonly tracing: Tracing }>(
  async (app, { tracing }) => {
    app.decorateRequest('trace', undefined);
    app.decorateRequest('traceSpan', undefined);
    if (!tracing.isOn) return;
    app.addHook('onRequest', (request, reply, done) => {
      const route = routeName(request.routeOptions.url);
      if (NOT_TRACED.has(route)) return done();
      const span = tracing.start(`${request.method} ${route}`, {
        kind: 'server',
        parent: givenContext(request),
        fromClient: true,
      });
      request.traceSpan = span;
      request.trace = span.context;
      if (span.isRecorded) span.set(attributesOf(request, route));
      request.log = request.log.child(traceFields(span.context));
      reply.log = request.log;
      done();
    });
    app.onRequestEnd(({ traceSpan }, { status }) => {
      if (traceSpan === undefined) return;
      traceSpan.set({ 'http.response.status_code': status });
      if (status >= 500) traceSpan.fail(String(status));
      traceSpan.end();
    });
  },
  { name: 'tracing', dependencies: ['request-end'] },
);

/** Several `traceparent` headers are joined by commas, which makes the value invalid. */
function givenContext({ headers }: FastifyRequest): TraceContext | undefined {
  return parseTraceContext(headerText(headers[TRACE_HEADERS.parent]), headerText(headers[TRACE_HEADERS.state]));
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}

/** Attributes of the semantic conventions for HTTP. The path and the query are omitted, because they can contain secrets. */
function attributesOf(request: FastifyRequest, route: string) {
  return {
    'http.request.method': request.method,
    'http.route': route,
    'url.scheme': request.protocol,
    'network.protocol.version': request.raw.httpVersion,
    'trapline.request.id': request.id,
  };
}
