// Loaded by `open-tracing.ts`, together with the OpenTelemetry SDK, only if tracing is on.
import {
  type Attributes,
  createTraceState,
  type HrTime,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { NO_SPAN, type Span, type SpanOptions, type TraceAttributes, type Tracing } from '#schemas/tracing/tracing.ts';
import type { TracingConfig } from '../config/tracing-settings.ts';
import { createClientLimit } from './client-limit.ts';
import { ATTRIBUTE_LIMITS, BATCHES, closeWithin, EXPORT_MS, logFailures, resourceOf } from './otlp-common.ts';
import type { OpenTracing, TelemetryLog, TelemetrySource } from './port.ts';

/** Starts the SDK: spans are sampled, collected and sent in the background, and no caller waits for the receiver. */
export function startSdk(
  config: TracingConfig,
  { log, ...source }: TelemetrySource & { readonly log: TelemetryLog },
): OpenTracing {
  logFailures(log);
  const exporter = new OTLPTraceExporter({ url: config.url, headers: config.headers, timeoutMillis: EXPORT_MS });
  const provider = new TracerProvider({
    resource: resourceOf(config, source),
    sampler: samplerOf(config),
    spanLimits: {
      ...ATTRIBUTE_LIMITS,
      linkCountLimit: 128,
      eventCountLimit: 8,
    },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        ...BATCHES,
      }),
    ],
  });
  const tracer = provider.getTracer('trapline', PRODUCT_VERSION);
  return {
    tracing: { isOn: true, start: (name, options) => startSpan(tracer, name, options) } satisfies Tracing,
    close: () => closeWithin(provider.shutdown()),
  };
}

/**
 * Returns the configured sampler. Client contexts that request recording are respected up to the limit; above it, their
 * traces are not recorded. A ratio of trace ids could not limit a client, because clients choose their ids.
 */
function samplerOf({ sampler, ratio, fromClientsPerSecond }: TracingConfig): Sampler {
  const roots: Record<string, Sampler> = {
    always_on: new AlwaysOnSampler(),
    always_off: new AlwaysOffSampler(),
    traceidratio: new TraceIdRatioBasedSampler(ratio),
  };
  const root = roots[sampler.replace(/^parentbased_/, '')] as Sampler;
  if (!sampler.startsWith('parentbased_')) return root;
  return new ParentBasedSampler({ root, remoteParentSampled: limitedSampler(fromClientsPerSecond) });
}

function limitedSampler(perSecond: number): Sampler {
  const takeOne = createClientLimit(perSecond);
  return {
    shouldSample: () => ({
      decision: takeOne() ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
    }),
    toString: () => `Limited{${perSecond}/s}`,
  };
}

const KINDS: Readonly<Record<NonNullable<SpanOptions['kind']>, SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

function startSpan(tracer: Tracer, name: string, options: SpanOptions = {}): Span {
  const { kind = 'internal', parent, fromClient = false, links = [], attributes, startMs } = options;
  const context =
    parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent, fromClient));
  const span = tracer.startSpan(
    name,
    {
      kind: KINDS[kind],
      links: links.map((link) => ({ context: contextOf(link, false) })),
      ...(attributes === undefined ? {} : { attributes: attributesOf(attributes) }),
      ...(startMs === undefined ? {} : { startTime: hrTimeOf(startMs) }),
    },
    context,
  );
  return wrap(span, parent?.state);
}

function wrap(span: OtelSpan, state: string | undefined): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const sampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  const context: TraceContext = { traceId, spanId, sampled, ...(state === undefined ? {} : { state }) };
  if (!span.isRecording()) return { ...NO_SPAN, context };
  return {
    context,
    isRecorded: true,
    set: (attributes) => void span.setAttributes(attributesOf(attributes)),
    fail(type) {
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: (endMs) => span.end(endMs === undefined ? undefined : hrTimeOf(endMs)),
  };
}

function contextOf({ traceId, spanId, sampled, state }: TraceContext, isRemote: boolean): SpanContext {
  return {
    traceId,
    spanId,
    isRemote,
    traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    ...(state === undefined ? {} : { traceState: createTraceState(state) }),
  };
}

function attributesOf(attributes: TraceAttributes): Attributes {
  return attributes as Attributes;
}

/** Converts to the SDK's tuple, because the SDK takes small numbers for times since the start of the process. */
function hrTimeOf(epochMs: number): HrTime {
  const seconds = Math.floor(epochMs / 1_000);
  return [seconds, Math.round((epochMs - seconds * 1_000) * 1e6)];
}
