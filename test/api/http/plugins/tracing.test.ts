import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ADMIN_KEY, OPERATOR_KEY, runApp } from '#test/api/running-app.ts';
import { ALWAYS, startTracing } from '#test/support/start-tracing.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const GIVEN = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'vendor=1' };

test('a request continues the trace of its client, with ids in its log and an exemplar in its metrics', async () => {
  const { tracing, received } = await startTracing(ALWAYS);
  const lines: string[] = [];
  const logger = pino(new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) }));
  const { url } = await runApp({
    deps: { tracing, logger },
    prepare(app) {
      app.get('/fails/:secret', { config: { access: { by: 'anyone' } } }, () => {
        throw new Error('of the test');
      });
    },
  });
  expect((await fetch(`${url}/fails/hidden?key=hidden`, { headers: GIVEN })).status).toBe(500);
  await fetch(`${url}/healthz`, { headers: GIVEN });
  const accept = 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5';
  const metrics = await fetch(`${url}/api/prometheus`, { headers: { 'x-admin-key': ADMIN_KEY, accept } });
  expect(metrics.headers.get('content-type')).toContain('application/openmetrics-text');
  const text = await metrics.text();
  expect(text).toMatch(/# EOF\n$/);

  const { spans } = await received();
  expect(spans).toHaveLength(1);
  const [span] = spans;
  expect(span).toMatchObject({ name: 'GET /fails/:secret', kind: 'server', traceId: TRACE, parentId: SPAN });
  expect(span).toMatchObject({ failed: true, attributes: { 'http.response.status_code': 500 } });
  expect(JSON.stringify(span?.attributes)).not.toContain('hidden');
  expect(lines.join()).toContain(`"trace_id":"${TRACE}","span_id":"${span?.spanId}"`);
  expect(text).toMatch(new RegExp(`duration_seconds_bucket\\{.*/fails/:secret.*# \\{trace_id="${TRACE}"`));
});

test('while tracing is off, metrics have the Prometheus format, and trace headers have no effect', async () => {
  const { url } = await runApp({});
  const headers = { 'x-api-key': OPERATOR_KEY, 'x-admin-key': ADMIN_KEY, accept: 'application/openmetrics-text' };
  const metrics = await fetch(`${url}/api/prometheus`, { headers: { ...headers, ...GIVEN } });
  expect(metrics.headers.get('content-type')).toContain('text/plain');
});
