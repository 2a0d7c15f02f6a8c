import { TRACE_HEADERS, traceHeaders } from '#schemas/tracing/trace-context.ts';
import { inSpan, type TraceAttributes, type Tracing } from '#schemas/tracing/tracing.ts';
import type { OutboundFetch, OutboundRequest } from './port.ts';

/**
 * Adds a span to each request that belongs to a trace, and sends the trace context to the receiver. Other requests are
 * unchanged.
 */
export function traceRequests(send: OutboundFetch, tracing: Tracing): OutboundFetch {
  if (!tracing.isOn) return (request) => send(request);
  return (request) => {
    const { trace: parent, method = 'GET', headers = {} } = request;
    if (parent === undefined) return send(request);
    return inSpan(tracing, method, { kind: 'client', parent, attributes: attributesOf(request) }, async (span) => {
      const given = Object.keys(headers).some((name) => name.toLowerCase() === TRACE_HEADERS.parent);
      const passedOn = given ? {} : traceHeaders(span.context);
      const response = await send({ ...request, headers: { ...headers, ...passedOn } });
      span.set({ 'http.response.status_code': response.status });
      if (response.status >= 400) span.fail(String(response.status));
      return response;
    });
  };
}

/**
 * Attributes of the semantic conventions for HTTP. The path and the query are omitted, because webhook URLs contain
 * secrets there.
 */
function attributesOf({ method = 'GET', url }: OutboundRequest): TraceAttributes {
  const parsed = URL.parse(url);
  if (parsed === null) return { 'http.request.method': method };
  const port = parsed.port === '' ? (parsed.protocol === 'https:' ? 443 : 80) : Number(parsed.port);
  return {
    'http.request.method': method,
    'url.scheme': parsed.protocol.slice(0, -1),
    'server.address': parsed.hostname,
    'server.port': port,
  };
}
