import { Gauge, type Registry } from 'prom-client';
import type { LaneHost } from '#ingest/pipeline/kafka-lanes.ts';

/**
 * How long the oldest record waits that was taken from a partition and is not committed. The lag in records is reported with every commit: when
 * nothing lands any more it stands still, and this one grows.
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
