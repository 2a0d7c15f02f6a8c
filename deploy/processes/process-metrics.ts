import { collectDefaultMetrics, Registry } from 'prom-client';

/** prom-client's own 10 ms would wake an idle process a hundred times a second, which costs more than everything else it does. */
const EVENT_LOOP_SAMPLE_MS = 250;

/** A registry with what every process shows, under our prefix like everything else: memory, processor time, garbage collection, event loop delay. */
export function createProcessRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    prefix: 'trapline_',
    eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS,
  });
  return registry;
}
