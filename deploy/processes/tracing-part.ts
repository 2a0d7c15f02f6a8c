import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Tracing } from '#schemas/tracing/tracing.ts';
import type { Config } from '../config.ts';
import { openMetricsExport, sourceOf } from '../tracing/open-otlp.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import type { OpenLogExport } from '../tracing/port.ts';
import type { Lifecycle } from './lifecycle.ts';

interface TracingDeps {
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
  readonly logs: OpenLogExport;
  readonly registry: Registry;
}

/**
 * Starts tracing, and the export of metrics and log entries, as configured. They are started first and thus stopped
 * last, so that what other parts record while they stop is still sent.
 */
export async function startTracing(
  config: Pick<Config, 'tracing' | 'otlpMetrics' | 'seat'>,
  role: 'start' | 'api' | 'ingest' | 'worker',
  { lifecycle, log, logs, registry }: TracingDeps,
): Promise<Tracing> {
  logs.logFailures(log);
  await lifecycle.start('log export', () => ({ value: undefined, stop: logs.close }));
  await lifecycle.start('metrics export', async () => {
    const { close } = await openMetricsExport(config.otlpMetrics, registry, { ...sourceOf(role, config.seat), log });
    return { value: undefined, stop: close };
  });
  return lifecycle.start('tracing', async () => {
    const { tracing, close } = await openTracing({ config: config.tracing, role, instance: config.seat, log });
    if (tracing.isOn) log.info({ sampler: config.tracing?.sampler, ratio: config.tracing?.ratio }, 'tracing is on');
    return { value: tracing, stop: close };
  });
}
