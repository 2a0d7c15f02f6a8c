// Parts of the OpenTelemetry SDK that its three signals share. Not loaded by processes that send none of them.
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import type { IExporterMetricsHelper, ISerializer } from '@opentelemetry/otlp-transformer';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import type { OtlpResource, TelemetryLog, TelemetrySource } from './port.ts';

/** Maximum time that an unresponsive receiver delays the end of a process. */
const CLOSE_MS = 3_000;
export const EXPORT_MS = 10_000;
/** Queue of spans and log entries. Entries that exceed it are dropped; a span takes about 1 KiB. */
export const BATCHES = {
  maxQueueSize: 2_048,
  maxExportBatchSize: 512,
  scheduledDelayMillis: 2_000,
  exportTimeoutMillis: EXPORT_MS,
} as const;
/** Limits of the attributes of a span or log entry. */
export const ATTRIBUTE_LIMITS = { attributeCountLimit: 64, attributeValueLengthLimit: 4_096 } as const;
/** An unavailable receiver fails every few seconds, but one log line per minute is enough. */
const WARN_EVERY_MS = 60_000;

/** Returns the resource attributes of the process that sends spans, metrics and log entries. */
export function resourceOf({ serviceName, attributes }: OtlpResource, { role, instance }: TelemetrySource): Resource {
  return resourceFromAttributes({
    'service.name': serviceName ?? 'trapline',
    'service.version': PRODUCT_VERSION,
    'service.instance.id': instance,
    'process.pid': process.pid,
    'trapline.role': role,
    ...attributes,
  });
}

/** Creates an exporter of one signal by OTLP/HTTP with protobuf. */
export function createExporter<Records, Response>(
  signal: 'metrics' | 'logs',
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  serializer: ISerializer<Records, Response>,
  helper: IExporterMetricsHelper<Records>,
): OTLPExporterBase<Records> {
  const options = { url, headers, timeoutMillis: EXPORT_MS };
  const type = { 'Content-Type': 'application/x-protobuf' };
  return new OTLPExporterBase(
    createOtlpHttpExportDelegate(
      convertLegacyHttpOptions(options, signal.toUpperCase(), `v1/${signal}`, type),
      serializer,
      `otlp_http_${signal === 'logs' ? 'log' : 'metric'}_exporter`,
      helper,
      undefined,
    ),
  );
}

/** Logs failures of the SDK, at most one per minute. */
export function logFailures(log: TelemetryLog): void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  const warn = (message: string, ...details: unknown[]) => {
    const now = performance.now();
    if (now - warnedAt < WARN_EVERY_MS) return;
    warnedAt = now;
    log.warn({ reason: [message, ...details.map(String)].join(' ').slice(0, 500) }, 'telemetry cannot be sent');
  };
  const silent = () => {};
  const logger = { error: warn, warn, info: silent, debug: silent, verbose: silent };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** Sends collected data, within a bounded time. */
export async function closeWithin(shutdown: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, CLOSE_MS);
  await Promise.race([shutdown.catch(() => {}), late.promise]);
  clearTimeout(timer);
}
