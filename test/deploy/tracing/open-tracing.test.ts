import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { createClientLimit } from '#deploy/tracing/client-limit.ts';
import { openTracing } from '#deploy/tracing/open-tracing.ts';
import { inSpan, NO_TRACING, type SpanOptions } from '#schemas/tracing/tracing.ts';
import { startTracing } from '#test/support/start-tracing.ts';

const CLIENT = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true };

function configOf(environment: Record<string, string>) {
  const resolved = resolveConfig({ environment });
  if (!resolved.ok) throw new Error(resolved.errors.join('\n'));
  return resolved.config.tracing;
}

test('is off without an endpoint, and with OTEL_SDK_DISABLED', async () => {
  expect(configOf({})).toBeUndefined();
  expect(configOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  const { tracing } = await openTracing({ config: undefined, role: 'test', log: { warn() {} } });
  expect(tracing).toBe(NO_TRACING);
});

test('reads the settings of the specification', () => {
  const config = configOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-tenant=one',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production,k8s.pod.name=api-1',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  });
  expect(config).toMatchObject({
    url: 'http://collector:4318/v1/traces',
    headers: { authorization: 'Bearer abc', 'x-tenant': 'one' },
    attributes: { 'deployment.environment.name': 'production', 'k8s.pod.name': 'api-1' },
    sampler: 'parentbased_traceidratio',
    ratio: 0.25,
  });
  expect(() => configOf({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(/must be http\/protobuf/);
  expect(() => configOf({ OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow(/a number from 0 to 1/);
});

test('spans reach the receiver with parent, links, attributes and failure', async () => {
  const { tracing, received } = await startTracing({
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    OTEL_SERVICE_NAME: 'sensors',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=one',
  });
  const outer = tracing.start('outer', { kind: 'server', startMs: 1_000, links: [CLIENT] });
  const failing = inSpan(tracing, 'inner', { parent: outer.context, attributes: { count: 3, on: true } }, async () => {
    throw Object.assign(new Error('secret text'), { code: 'ECONNREFUSED' });
  });
  await expect(failing).rejects.toThrow('secret text');
  outer.end(2_500);
  const { spans, requests } = await received();

  const [inner, root] = spans;
  expect(requests[0]).toMatchObject({ 'x-tenant': 'one' });
  expect(root).toMatchObject({ name: 'outer', kind: 'server', parentId: '', startNanos: 1_000_000_000n });
  expect(root).toMatchObject({ endNanos: 2_500_000_000n, links: [{ traceId: CLIENT.traceId, spanId: CLIENT.spanId }] });
  expect(root?.resource).toMatchObject({ 'service.name': 'sensors', 'service.instance.id': 'one' });
  expect(inner).toMatchObject({ name: 'inner', traceId: root?.traceId, parentId: root?.spanId, failed: true });
  expect(inner?.attributes).toEqual({ count: 3, on: true, 'error.type': 'ECONNREFUSED' });
});

const fromClient = (sampled: boolean): SpanOptions => ({ parent: { ...CLIENT, sampled }, fromClient: true });

test('limits the traces that clients can have recorded per second, whatever their trace ids', async () => {
  const { tracing, received } = await startTracing({ OTEL_TRACES_SAMPLER_ARG: '1', TRAPLINE_TRACES_FROM_CLIENTS: '3' });
  const spans = Array.from({ length: 50 }, () => tracing.start('asked for', fromClient(true)));
  expect(spans.filter(({ isRecorded }) => isRecorded)).toHaveLength(3);
  expect(spans.every(({ context }) => context?.traceId === CLIENT.traceId)).toBe(true);
  expect(spans.at(-1)?.context?.sampled).toBe(false);
  expect(tracing.start('not asked for', fromClient(false)).isRecorded).toBe(false);
  // A span whose parent belongs to this service is not limited.
  expect(tracing.start('own', { parent: CLIENT }).isRecorded).toBe(true);
  for (const span of spans) span.end();
  expect((await received()).spans).toHaveLength(3);
});

test('refills the budget of clients over time, up to one second', () => {
  let now = 0;
  const take = createClientLimit(2, () => now);
  expect([take(), take(), take()]).toEqual([true, true, false]);
  now += 500;
  expect([take(), take()]).toEqual([true, false]);
  now += 3_600_000;
  expect([take(), take(), take()]).toEqual([true, true, false]);
  expect(createClientLimit(0, () => now)()).toBe(false);
});

test('samples new traces by the configured share', async () => {
  const { tracing, received } = await startTracing({ OTEL_TRACES_SAMPLER_ARG: '0' });
  expect(tracing.start('one').isRecorded).toBe(false);
  expect((await received()).spans).toEqual([]);
});

const MODULE = import.meta.resolve('#deploy/tracing/open-tracing.ts');
/** Prints the number of OpenTelemetry modules that are loaded while tracing is off. */
const PROGRAM = `
  import { registerHooks } from 'node:module';
  let read = 0;
  registerHooks({ load: (url, context, load) => { if (url.includes('@opentelemetry')) read++; return load(url, context); } });
  const { openTracing } = await import(${JSON.stringify(MODULE)});
  await openTracing({ config: undefined, role: 'test', log: console });
  console.log(read);
`;

test('does not import the SDK while tracing is off', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM]);
  expect(stdout.trim()).toBe('0');
});
