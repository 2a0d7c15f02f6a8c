import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * The default of prom-client, 10 ms, would wake an idle process a hundred times a second, which costs more than all its
 * other work.
 */
const EVENT_LOOP_SAMPLE_MS = 250;

/**
 * Returns a registry with the default metrics of every process, under our prefix: memory, CPU time, garbage collection,
 * event loop delay.
 */
export function createProcessRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    prefix: 'trapline_',
    eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS,
  });
  return registry;
}
