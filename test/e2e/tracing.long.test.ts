import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { parseTraceContext } from '#schemas/tracing/trace-context.ts';
import { httpReceiver } from '#test/api/outputs/receivers.ts';
import { clusterSettings } from '#test/support/cluster-settings.ts';
import { type ReceivedSpan, startOtlpReceiver } from '#test/support/otlp-receiver.ts';
import { sharedSecrets } from '#test/support/shared-secrets.ts';
import { removeHome, startTrapline } from '#test/support/trapline-process.ts';
import { useClickHouse, useKafka, usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

const ATTACK = fileURLToPath(new URL('../fixtures/kmsg/probe-plt-step16.kmsg', import.meta.url));
const SIGNING = 'a key of the tests, long enough';

const workflowTo = (url: string) => `
document: { dsl: 1.0.0, namespace: test, name: traced, version: 1.0.0 }
schedule: { on: { one: { with: { type: trapline.detection.opened } } } }
do:
  - pause: { wait: { milliseconds: 10 } }
  - report: { call: http, with: { method: post, endpoint: '${url}', body: { opened: true } } }
`;

test('one trace leads from a kernel log line to the request of a workflow and to a webhook, through a restart of the worker', async () => {
  const [kafka, clickhouse, postgres] = await Promise.all([useKafka(), useClickHouse(), usePostgres()]);
  const home = await mkdtemp(path.join(tmpdir(), 'trapline-tracing-'));
  await using otlp = await startOtlpReceiver();
  const [called, hook] = [await httpReceiver(), await httpReceiver()];
  const env = {
    ...(await clusterSettings(kafka, clickhouse)),
    ...sharedSecrets(),
    DATABASE_URL: postgres.url,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    TRAPLINE_LANE_THREADS: '1',
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_LOGS_EXPORTER: 'otlp',
  };
  const start = (role: string) => startTrapline([role], { ...env, TRAPLINE_DATA_DIR: path.join(home, role) }, home);
  const api = await start('api');
  const { url } = JSON.parse(await api.logged('api is running')) as { url: string };
  const ingest = await start('ingest');
  await ingest.logged('ingest is running');
  const processes = [api, ingest];
  onTestFinished(async () => {
    await Promise.all(processes.map((process) => process.endAll()));
    await removeHome(home);
  });
  const key = (await readFile(path.join(home, 'api', 'operator.key'), 'utf8')).trim();
  const call = async (method: string, route: string, body: unknown) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const response = await fetch(url + route, { method, headers, body: JSON.stringify(body) });
    expect(response.status, await response.clone().text()).toBeLessThan(300);
  };
  await call('PUT', '/api/v1/workflows/traced', { yamlContent: workflowTo(called.url) });
  const webhook = { type: 'webhook', name: 'hook', settings: { url: hook.url }, secrets: { signingKey: SIGNING } };
  await call('POST', '/api/outputs', webhook);
  const first = await start('worker');
  processes.push(first);
  await first.logged('worker is running');

  const detector = await startTrapline(
    ['detect', '--from', ATTACK, '--to', 'kafka://events.v1', '--hostname', 'edge-1'],
    env,
    home,
  );
  processes.push(detector);
  await waitFor('the end of the detector', () => !detector.running);
  // One process accepts the execution and another may run it. The row of the execution stores the trace context.
  await waitFor('the webhook', () => hook.taken.length > 0);
  await first.stop(60_000);
  const second = await start('worker');
  processes.push(second);
  await waitFor('the request of the workflow', () => called.taken.length > 0);
  await Promise.all(processes.map((process) => process.stop(60_000)));

  const byId = new Map(otlp.spans.map((span) => [span.spanId, span]));
  const passedOn = parseTraceContext(String(called.taken[0]?.headers.traceparent));
  const chain = ancestors(byId, passedOn?.spanId);
  expect(chain.map(({ name }) => name)).toEqual([
    'POST',
    'task http',
    'run workflow',
    'start execution',
    'detection instruction-pointer-probe',
    'send events.v1',
    'kernel event',
  ]);
  expect(new Set(chain.map(({ traceId }) => traceId))).toEqual(new Set([passedOn?.traceId]));
  const ofHook = parseTraceContext(String(hook.taken[0]?.headers.traceparent));
  expect(ancestors(byId, ofHook?.spanId).map(({ name }) => name)).toContain('kernel event');

  // The metrics and logs of each process have reached the receiver. The last of them were sent during shutdown.
  for (const role of ['api', 'ingest', 'worker']) {
    const own = ({ resource }: { readonly resource: Readonly<Record<string, unknown>> }) =>
      resource['trapline.role'] === role;
    expect(otlp.entries.filter(own).map(({ body }) => body)).toContain(`${role} is running`);
    const cpu = otlp.points.filter(own).find(({ name }) => name === 'trapline_process_cpu_seconds_total');
    expect(cpu?.value, role).toBeGreaterThan(0);
  }
  const stored = otlp.points.filter(({ name }) => name === 'trapline_events_total');
  expect(Math.max(...stored.map(({ value }) => value))).toBeGreaterThan(0);
  const ids = new Set(otlp.spans.map(({ traceId }) => traceId));
  const traced = otlp.entries.filter(({ traceId }) => traceId !== '');
  expect(traced.every(({ traceId }) => ids.has(traceId))).toBe(true);
});

/** Returns the span and its ancestors up to the root of its trace. */
function ancestors(byId: ReadonlyMap<string, ReceivedSpan>, spanId: string | undefined): ReceivedSpan[] {
  const span = byId.get(spanId ?? '');
  return span === undefined ? [] : [span, ...ancestors(byId, span.parentId)];
}
