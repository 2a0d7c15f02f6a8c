import { z } from 'zod';
import { text, truth, url, wholeNumber } from './values.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof SAMPLERS)[number];

/** `name=value,name=value` with percent-encoded values. Kept as text; `pairsOf` parses it. */
const pairs = z
  .string()
  .regex(/^\s*[^=,\s]+\s*=[^,]*(?:,\s*[^=,\s]+\s*=[^,]*)*$/, 'must be name=value, several joined by commas')
  .refine((joined) => !/%(?![\da-f]{2})/i.test(joined), 'a percent sign is written %25');

function pairsOf(joined: string | undefined): Readonly<Record<string, string>> {
  const pairs = joined === undefined ? [] : joined.split(',').map((pair) => pair.split(/=(.*)/s));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name.trim(), decoded(value.trim())]));
}

/** Decodes percent-encoding. Returns the value unchanged if it is not valid UTF-8. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const exporter = z.enum(['none', 'otlp'], 'must be "none" or "otlp"').default('none');
/** Default endpoint of the OTLP specification. */
const DEFAULT_ENDPOINT = 'http://localhost:4318';

const ratio = z
  .string()
  .regex(/^(?:0|1|0?\.\d+|1\.0+)$/, 'must be a number from 0 to 1')
  .transform(Number);

/** OpenTelemetry settings with the names of the specification, and two of our own. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https')
    .optional()
    .describe(
      'OTLP/HTTP receiver, such as http://collector:4318; `/v1/traces` is added for traces; not set: no tracing',
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url('http', 'https')
    .optional()
    .describe('the complete URL for traces, instead of OTEL_EXPORTER_OTLP_ENDPOINT'),
  OTEL_METRICS_EXPORTER: exporter.describe('otlp sends metrics to the receiver; they can be scraped as well'),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: url('http', 'https')
    .optional()
    .describe('the complete URL for metrics, instead of OTEL_EXPORTER_OTLP_ENDPOINT with `/v1/metrics`'),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumber({ min: 1_000, max: 3_600_000 })
    .default(60_000)
    .describe('milliseconds between two requests with metrics'),
  OTEL_LOGS_EXPORTER: exporter.describe('otlp sends log entries to the receiver; they are written as well'),
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: url('http', 'https')
    .optional()
    .describe('the complete URL for log entries, instead of OTEL_EXPORTER_OTLP_ENDPOINT with `/v1/logs`'),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/protobuf'], 'must be http/protobuf')
    .default('http/protobuf')
    .describe('how traces, metrics and log entries are sent: http/protobuf'),
  OTEL_EXPORTER_OTLP_HEADERS: pairs
    .meta({ secret: true })
    .optional()
    .describe('headers for the receiver: name=value joined by commas'),
  OTEL_SDK_DISABLED: truth
    .default(false)
    .describe('true turns traces, metrics and log entries to the receiver off whatever else is set'),
  OTEL_SERVICE_NAME: text.optional().describe('name of the service; not set: trapline'),
  OTEL_RESOURCE_ATTRIBUTES: pairs
    .optional()
    .describe(
      'attributes of everything that is sent: name=value joined by commas, such as deployment.environment.name=production',
    ),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS, `must be one of ${SAMPLERS.join(', ')}`)
    .default('parentbased_traceidratio')
    .describe(`which traces are recorded: ${SAMPLERS.join(', ')}`),
  OTEL_TRACES_SAMPLER_ARG: ratio.default(0.01).describe('share of traces that traceidratio records, from 0 to 1'),
  TRAPLINE_TRACES_FROM_CLIENTS: wholeNumber({ min: 0, max: 100_000 })
    .default(10)
    .describe('traces a second that clients may have recorded by `traceparent`, for one process; 0: none'),
  TRAPLINE_TRACE_PROMPTS: truth
    .default(false)
    .describe('record prompts and answers of model calls in traces; they can hold personal data'),
};

const tracingSchema = z.object(tracingSettings);

/** Returns undefined if tracing is off. */
export function tracingOf(s: z.output<typeof tracingSchema>) {
  const endpoint = s.OTEL_EXPORTER_OTLP_ENDPOINT;
  const tracesUrl = s.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (endpoint && `${endpoint}/v1/traces`);
  if (tracesUrl === undefined || s.OTEL_SDK_DISABLED) return undefined;
  return {
    url: tracesUrl,
    ...senderOf(s),
    sampler: s.OTEL_TRACES_SAMPLER,
    ratio: s.OTEL_TRACES_SAMPLER_ARG,
    fromClientsPerSecond: s.TRAPLINE_TRACES_FROM_CLIENTS,
    recordPrompts: s.TRAPLINE_TRACE_PROMPTS,
  };
}

/** Returns undefined if metrics are not sent. */
export function otlpMetricsOf(s: z.output<typeof tracingSchema>) {
  if (s.OTEL_METRICS_EXPORTER === 'none' || s.OTEL_SDK_DISABLED) return undefined;
  const endpoint = s.OTEL_EXPORTER_OTLP_ENDPOINT ?? DEFAULT_ENDPOINT;
  const metricsUrl = s.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ?? `${endpoint}/v1/metrics`;
  return { url: metricsUrl, intervalMs: s.OTEL_METRIC_EXPORT_INTERVAL, ...senderOf(s) };
}

/** Returns undefined if log entries are not sent. */
export function otlpLogsOf(s: z.output<typeof tracingSchema>) {
  if (s.OTEL_LOGS_EXPORTER === 'none' || s.OTEL_SDK_DISABLED) return undefined;
  const endpoint = s.OTEL_EXPORTER_OTLP_ENDPOINT ?? DEFAULT_ENDPOINT;
  return { url: s.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT ?? `${endpoint}/v1/logs`, ...senderOf(s) };
}

function senderOf(s: z.output<typeof tracingSchema>) {
  return {
    headers: pairsOf(s.OTEL_EXPORTER_OTLP_HEADERS),
    serviceName: s.OTEL_SERVICE_NAME,
    attributes: pairsOf(s.OTEL_RESOURCE_ATTRIBUTES),
  };
}

export type OtlpMetricsConfig = NonNullable<ReturnType<typeof otlpMetricsOf>>;
export type OtlpLogsConfig = NonNullable<ReturnType<typeof otlpLogsOf>>;
export type TracingConfig = NonNullable<ReturnType<typeof tracingOf>>;
