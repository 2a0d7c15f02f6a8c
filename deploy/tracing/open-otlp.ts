import { hostname } from 'node:os';
import type { Registry } from 'prom-client';
import type { OtlpLogsConfig, OtlpMetricsConfig } from '../config/tracing-settings.ts';
import type { OpenLogExport, TelemetryLog, TelemetrySource } from './port.ts';

/** The name of a process in what it sends: its seat, else its host and number. */
export function sourceOf(role: string, seat: string | undefined): TelemetrySource {
  return { role, instance: seat ?? `${hostname()}:${process.pid}` };
}

/** The export of log entries as configured. Without a configuration, the SDK is not loaded. */
export async function openLogExport(
  config: OtlpLogsConfig | undefined,
  source: TelemetrySource,
): Promise<OpenLogExport> {
  if (config === undefined) return { receive: undefined, logFailures: () => {}, close: async () => {} };
  const { startLogs } = await import('./otlp-logs.ts');
  return startLogs(config, source);
}

/** The export of metrics as configured. Without a configuration, the SDK is not loaded. */
export async function openMetricsExport(
  config: OtlpMetricsConfig | undefined,
  registry: Registry,
  source: TelemetrySource & { readonly log: TelemetryLog },
): Promise<{ close(): Promise<void> }> {
  if (config === undefined) return { close: async () => {} };
  const { startMetrics } = await import('./otlp-metrics.ts');
  return startMetrics(config, registry, source);
}
