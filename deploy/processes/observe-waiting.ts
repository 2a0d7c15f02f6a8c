import { Gauge, type Registry } from 'prom-client';
import type { LaneHost } from '#ingest/pipeline/kafka-lanes.ts';

/**
 * Exports the age of the oldest record that was accepted but not committed. The lag in records is updated only by
 * commits: if nothing lands, it stays constant while this age grows.
 */
export function observeWaiting(registry: Registry, lanes: Pick<LaneHost, 'waiting'>): void {
  new Gauge({
    name: 'trapline_pipeline_waiting_seconds',
    help: 'For how long the oldest record that was taken from a partition has not been landed and committed; 0 when none waits.',
    labelNames: ['topic', 'partition'],
    registers: [registry],
    async collect() {
      const waiting = await lanes.waiting();
      this.reset();
      for (const { topic, partition, seconds } of waiting) this.set({ topic, partition: String(partition) }, seconds);
    },
  });
}
