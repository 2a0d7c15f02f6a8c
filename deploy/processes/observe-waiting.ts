import { Gauge, type Registry } from 'prom-client';
import type { LaneHost } from '#ingest/pipeline/kafka-lanes.ts';

/**
 * Exports the age of the oldest record that was accepted but not committed. The lag in records is updated only by
 * commits: if nothing lands, it stays constant while this age grows.
 */
export function observeWaiting(registry: Registry, lanes: Pick<LaneHost, 'waiting'>): void {
  new Gauge({
    name: 'trapline_pipeline_waiting_seconds',
    help: 'Waiting time of the oldest accepted record of a partition that is not stored and committed yet; 0 if none waits.',
    labelNames: ['topic', 'partition'],
    registers: [registry],
    async collect() {
      const waiting = await lanes.waiting();
      this.reset();
      for (const { topic, partition, seconds } of waiting) this.set({ topic, partition: String(partition) }, seconds);
    },
  });
}
