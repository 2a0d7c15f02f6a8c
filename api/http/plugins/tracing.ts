import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { parseTraceContext, TRACE_HEADERS, type TraceContext } from '#schemas/tracing/trace-context.ts';
import { type Span, type Tracing, traceFields } from '#schemas/tracing/tracing.ts';
import { routeName } from '../route-name.ts';
import type {} from './request-end.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Position of the request in its trace; undefined while tracing is off. */
    trace: TraceContext | undefined;
    traceSpan: Span | undefined;
  }
}

/** Probes and scrapes come every few seconds and show nothing. */
const NOT_TRACED = new Set(['/healthz', '/readyz', '/metrics', '/api/health', '/api/prometheus', '/api/status']);

/**
 * A span for each request, which continues the trace that the client names in `traceparent`. The span is named after the route, never the address.
 * Log entries of the request hold the ids of the trace.
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

/** Several `traceparent` headers are joined by commas, and so are not valid. */
function givenContext({ headers }: FastifyRequest): TraceContext | undefined {
  return parseTraceContext(headerText(headers[TRACE_HEADERS.parent]), headerText(headers[TRACE_HEADERS.state]));
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}

/** By the semantic conventions for HTTP. The path and the query are left out: they can hold secrets. */
function attributesOf(request: FastifyRequest, route: string) {
  return {
    'http.request.method': request.method,
    'http.route': route,
    'url.scheme': request.protocol,
    'network.protocol.version': request.raw.httpVersion,
    'trapline.request.id': request.id,
  };
}
