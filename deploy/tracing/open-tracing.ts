import { NO_TRACING } from '#schemas/tracing/tracing.ts';
import type { TracingConfig } from '../config/tracing-settings.ts';
import { sourceOf } from './open-otlp.ts';
import type { OpenTracing, TelemetryLog } from './port.ts';

export interface OpenTracingDeps {
  /** Undefined if tracing is off. The SDK is then not loaded. */
  readonly config: TracingConfig | undefined;
  /** Role of this process: `api`, `ingest`, `detect` … */
  readonly role: string;
  /** Distinguishes processes of one role. */
  readonly instance?: string | undefined;
  readonly log: TelemetryLog;
}

/** Opens tracing as configured. */
export async function openTracing({ config, role, instance, log }: OpenTracingDeps): Promise<OpenTracing> {
  if (config === undefined) return { tracing: NO_TRACING, close: async () => {} };
  const { startSdk } = await import('./otel-sdk.ts');
  return startSdk(config, { ...sourceOf(role, instance), log });
}
