import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type SeverityNumber,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { LogsExporterMetricsHelper, ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import type { OtlpLogsConfig } from '../config/tracing-settings.ts';
import { ATTRIBUTE_LIMITS, BATCHES, closeWithin, createExporter, logFailures, resourceOf } from './otlp-common.ts';
import type { OpenLogExport, TelemetrySource } from './port.ts';

/** pino's levels are multiples of ten; OpenTelemetry severities are four apart. */
const SEVERITIES: Readonly<Record<number, { readonly number: SeverityNumber; readonly text: string }>> = {
  10: { number: 1, text: 'TRACE' },
  20: { number: 5, text: 'DEBUG' },
  30: { number: 9, text: 'INFO' },
  40: { number: 13, text: 'WARN' },
  50: { number: 17, text: 'ERROR' },
  60: { number: 21, text: 'FATAL' },
};

/**
 * Sends log entries in the background, with their trace ids. They are the lines that the process writes, after
 * redaction.
 */
export function startLogs(config: OtlpLogsConfig, source: TelemetrySource): OpenLogExport {
  const provider = new LoggerProvider({
    resource: resourceOf(config, source),
    logRecordLimits: ATTRIBUTE_LIMITS,
    processors: [
      new BatchLogRecordProcessor({
        exporter: createExporter('logs', config, ProtobufLogsSerializer, LogsExporterMetricsHelper),
        ...BATCHES,
      }),
    ],
  });
  const logger = provider.getLogger('trapline', PRODUCT_VERSION);
  return {
    receive(line) {
      const { level, time, msg, pid: _pid, trace_id, span_id, trace_flags, ...fields } = JSON.parse(line) as LogEntry;
      const severity = SEVERITIES[level];
      logger.emit({
        timestamp: new Date(time),
        body: msg ?? '',
        attributes: fields as Attributes,
        context: contextOf(trace_id, span_id, trace_flags),
        ...(severity && { severityNumber: severity.number, severityText: severity.text }),
      });
    },
    logFailures,
    close: () => closeWithin(provider.shutdown()),
  };
}

interface LogEntry {
  readonly level: number;
  readonly time: string;
  readonly msg?: string;
  readonly pid?: number;
  readonly trace_id?: string;
  readonly span_id?: string;
  readonly trace_flags?: string;
}

function contextOf(traceId: string | undefined, spanId: string | undefined, flags: string | undefined): Context {
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = flags === '01' ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags });
}
