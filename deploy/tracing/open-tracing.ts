import { NO_TRACING } from '#schemas/tracing/tracing.ts';
import type { TracingConfig } from '../config/tracing-settings.ts';
import { sourceOf } from './open-otlp.ts';
import type { OpenTracing, TelemetryLog } from './port.ts';

export interface OpenTracingDeps {
  /** Undefined: tracing is off, and the SDK is not loaded. */
  readonly config: TracingConfig | undefined;
  /** What this process does: `api`, `ingest`, `detect` … */
  readonly role: string;
  /** Distinguishes processes of one role. */
  readonly instance?: string | undefined;
  readonly log: TelemetryLog;
}

/** Tracing as configured. */
export async function openTracing({ config, role, instance, log }: OpenTracingDeps): Promise<OpenTracing> {
  if (config === undefined) return { tracing: NO_TRACING, close: async () => {} };
  const { startSdk } = await import('./otel-sdk.ts');
  return startSdk(config, { ...sourceOf(role, instance), log });
}
