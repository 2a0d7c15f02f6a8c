import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { openLogExport, openMetricsExport, sourceOf } from '#deploy/tracing/open-otlp.ts';
import { traceFields } from '#schemas/tracing/tracing.ts';
import { startOtlpReceiver } from '#test/support/otlp-receiver.ts';

const TRACE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true };

function configOf(environment: Record<string, string>) {
  const resolved = resolveConfig({ environment });
  if (!resolved.ok) throw new Error(resolved.errors.join('\n'));
  return resolved.config;
}

async function startReceiver() {
  const receiver = await startOtlpReceiver();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  return receiver;
}

test('an endpoint alone sends neither metrics nor log entries', async () => {
  const config = configOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' });
  expect([config.otlpMetrics, config.otlpLogs]).toEqual([undefined, undefined]);
  expect(await openLogExport(config.otlpLogs, sourceOf('api', 'one'))).toMatchObject({ receive: undefined });
});

test('reads the settings of the specification', () => {
  const on = { OTEL_METRICS_EXPORTER: 'otlp', OTEL_LOGS_EXPORTER: 'otlp' };
  expect(configOf(on)).toMatchObject({
    otlpMetrics: { url: 'http://localhost:4318/v1/metrics', intervalMs: 60_000 },
    otlpLogs: { url: 'http://localhost:4318/v1/logs' },
    tracing: undefined,
  });
  const own = {
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://m:1/otlp',
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://l:1/in',
  };
  expect(configOf({ ...on, ...own, OTEL_METRIC_EXPORT_INTERVAL: '5000' })).toMatchObject({
    otlpMetrics: { url: 'http://m:1/otlp', intervalMs: 5_000 },
    otlpLogs: { url: 'http://l:1/in' },
  });
  expect(configOf({ ...on, OTEL_SDK_DISABLED: 'true' })).toMatchObject({ otlpMetrics: undefined, otlpLogs: undefined });
  expect(() => configOf({ OTEL_LOGS_EXPORTER: 'console' })).toThrow(/must be "none" or "otlp"/);
});

test('metrics reach the receiver with the values, labels and buckets of a scrape', async () => {
  const receiver = await startReceiver();
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'seen_total', help: 'Seen', labelNames: ['kind'], registers }).inc({ kind: 'a' }, 3);
  new Gauge({
    name: 'held_bytes',
    help: 'Held',
    registers,
    collect() {
      this.set(7);
    },
  });
  const histogram = new Histogram({
    name: 'took_seconds',
    help: 'Took',
    buckets: [0.1, 1],
    labelNames: ['step'],
    registers,
  });
  for (const seconds of [0.05, 0.5, 0.6, 20]) histogram.observe({ step: 'x' }, seconds);
  const { otlpMetrics } = configOf({
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=one',
    OTEL_SERVICE_NAME: 'sensors',
  });
  const { close } = await openMetricsExport(otlpMetrics, registry, { ...sourceOf('api', 'one'), log: { warn() {} } });
  await close();
  expect(receiver.requests[0]).toMatchObject({ 'x-tenant': 'one' });
  const resource = expect.objectContaining({
    'service.name': 'sensors',
    'service.instance.id': 'one',
    'trapline.role': 'api',
  });
  expect(receiver.points).toMatchObject([
    { name: 'seen_total', kind: 'sum', monotonic: true, value: 3, attributes: { kind: 'a' }, resource },
    { name: 'held_bytes', kind: 'gauge', value: 7, unit: 'By' },
    {
      name: 'took_seconds',
      kind: 'histogram',
      bounds: [0.1, 1],
      counts: [1, 2, 1],
      attributes: { step: 'x' },
      unit: 's',
    },
  ]);
  expect(receiver.points[2]?.value).toBeCloseTo(21.15);
});

test('log entries reach the receiver unchanged, with severity and trace', async () => {
  const receiver = await startReceiver();
  const { otlpLogs } = configOf({ OTEL_LOGS_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  const { receive, close } = await openLogExport(otlpLogs, sourceOf('worker', undefined));
  const stream = new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, done) => done(void receive?.(line)),
  });
  const log = pino(
    { timestamp: pino.stdTimeFunctions.isoTime, redact: { paths: ['password'], censor: '***' } },
    stream,
  );
  log.info({ port: 8080, hosts: ['a', 'b'], nested: { deep: true } }, 'server is running');
  log.error({ password: 'hunter2', ...traceFields(TRACE) }, 'cannot poll executions');
  await close();
  const [first, second] = receiver.entries;
  expect(first).toMatchObject({
    body: 'server is running',
    severity: 'INFO',
    traceId: '',
    resource: { 'trapline.role': 'worker' },
  });
  expect(first?.attributes).toMatchObject({ port: 8080, hosts: ['a', 'b'] });
  expect(Number((first?.nanos ?? 0n) / 1_000_000n)).toBeGreaterThan(Date.now() - 60_000);
  const { traceId, spanId } = TRACE;
  expect(second).toMatchObject({ body: 'cannot poll executions', severity: 'ERROR', traceId, spanId });
  expect(second?.attributes).toEqual(expect.objectContaining({ password: '***' }));
});

test('reports a receiver that rejects data', async () => {
  const receiver = await startReceiver();
  const reported: string[] = [];
  const log = { warn: (_fields: object, message: string) => void reported.push(message) };
  const { otlpMetrics } = configOf({
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${receiver.url}/elsewhere`,
  });
  const registry = new Registry();
  new Counter({ name: 'seen_total', help: 'Seen', registers: [registry] });
  const { close } = await openMetricsExport(otlpMetrics, registry, { ...sourceOf('api', 'one'), log });
  await close();
  expect(reported).toEqual(['telemetry cannot be sent']);
});

test('reports a receiver that rejects log entries if neither traces nor metrics are sent', async () => {
  const refusing = createServer((request, response) => request.resume().on('end', () => response.writeHead(400).end()));
  refusing.listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  onTestFinished(() => void refusing.close());
  const url = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/v1/logs`;
  const { otlpLogs } = configOf({ OTEL_LOGS_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: url });
  const { receive, logFailures, close } = await openLogExport(otlpLogs, sourceOf('worker', undefined));
  const warnings: string[] = [];
  logFailures({ warn: (_fields, message) => void warnings.push(message) });
  receive?.(JSON.stringify({ level: 30, time: new Date().toISOString(), msg: 'hello' }));
  await close();
  expect(warnings).toEqual(['telemetry cannot be sent']);
});
