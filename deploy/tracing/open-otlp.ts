import { hostname } from 'node:os';
import type { Registry } from 'prom-client';
import type { OtlpLogsConfig, OtlpMetricsConfig } from '../config/tracing-settings.ts';
import type { OpenLogExport, TelemetryLog, TelemetrySource } from './port.ts';

/** Returns the name of a process in its telemetry: its seat, or else its host name and process id. */
export function sourceOf(role: string, seat: string | undefined): TelemetrySource {
  return { role, instance: seat ?? `${hostname()}:${process.pid}` };
}

/** Opens the configured export of log entries. Without a configuration, the SDK is not loaded. */
export async function openLogExport(
  config: OtlpLogsConfig | undefined,
  source: TelemetrySource,
): Promise<OpenLogExport> {
  if (config === undefined) return { receive: undefined, logFailures: () => {}, close: async () => {} };
  const { startLogs } = await import('./otlp-logs.ts');
  return startLogs(config, source);
}

/** Opens the configured export of metrics. Without a configuration, the SDK is not loaded. */
export async function openMetricsExport(
  config: OtlpMetricsConfig | undefined,
  registry: Registry,
  source: TelemetrySource & { readonly log: TelemetryLog },
): Promise<{ close(): Promise<void> }> {
  if (config === undefined) return { close: async () => {} };
  const { startMetrics } = await import('./otlp-metrics.ts');
  return startMetrics(config, registry, source);
}
