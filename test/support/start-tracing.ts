import { onTestFinished } from 'vitest';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { openTracing } from '#deploy/tracing/open-tracing.ts';
import type { Tracing } from '#schemas/tracing/tracing.ts';
import { type OtlpReceiver, startOtlpReceiver } from './otlp-receiver.ts';

export interface TestTracing {
  readonly tracing: Tracing;
  /** Exports the collected data and resolves to the receiver. Nothing is recorded after that. */
  received(): Promise<OtlpReceiver>;
}

/** Starts tracing as a process does with these settings, with a new receiver. */
export async function startTracing(settings: Readonly<Record<string, string>> = {}): Promise<TestTracing> {
  const receiver = await startOtlpReceiver();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...settings };
  const resolved = resolveConfig({ environment });
  if (!resolved.ok) throw new Error(resolved.errors.join('\n'));
  const log = { warn() {} };
  const { tracing, close } = await openTracing({ config: resolved.config.tracing, role: 'test', instance: 'one', log });
  return {
    tracing,
    async received() {
      await close();
      return receiver;
    },
  };
}

/** Setting that records every trace. */
export const ALWAYS = { OTEL_TRACES_SAMPLER: 'parentbased_always_on' } as const;
