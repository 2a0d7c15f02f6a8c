import type { Logger } from 'pino';
import type { Tracing } from '#schemas/tracing/tracing.ts';
import type { Config } from '../config.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import type { Lifecycle } from './lifecycle.ts';

/** Tracing of one process, as configured. It is started first, and so ends last: spans of other parts that stop are still sent. */
export function startTracing(
  config: Pick<Config, 'tracing' | 'seat'>,
  role: 'start' | 'api' | 'ingest' | 'worker',
  { lifecycle, log }: { readonly lifecycle: Lifecycle; readonly log: Logger },
): Promise<Tracing> {
  return lifecycle.start('tracing', async () => {
    const { tracing, close } = await openTracing({ config: config.tracing, role, instance: config.seat, log });
    if (tracing.isOn) log.info({ sampler: config.tracing?.sampler, ratio: config.tracing?.ratio }, 'tracing is on');
    return { value: tracing, stop: close };
  });
}
