import { Counter, Gauge, type Registry } from 'prom-client';
import type { LaneStats } from '#ingest/pipeline/pipeline-lane.ts';

/**
 * Exports how much state the rules hold in memory, over all lanes of the process. Evictions above zero mean that more
 * programs crash than the limit allows, and that those with the least information were evicted.
 */
export function observeTrackers(registry: Registry, lanes: () => Promise<readonly LaneStats[]>): void {
  const registers = [registry];
  const total = async (of: (stats: LaneStats) => number): Promise<number> =>
    (await lanes()).reduce((sum, stats) => sum + of(stats), 0);
  new Gauge({
    name: 'trapline_detection_programs',
    help: 'Programs with crashes in the state of the rules.',
    registers,
    async collect() {
      this.set(await total((stats) => stats.programs));
    },
  });
  new Gauge({
    name: 'trapline_detection_open_episodes',
    help: 'Open detections, which further evidence can extend.',
    registers,
    async collect() {
      this.set(await total((stats) => stats.openEpisodes));
    },
  });
  let seen = 0;
  new Counter({
    name: 'trapline_detection_evictions_total',
    help: 'Programs evicted from the state of the rules at the memory limit, in lanes that this process owns or has owned.',
    registers,
    async collect() {
      const evictions = await total((stats) => stats.evictions);
      // Lanes that move to another process take their counts with them. A counter that decreased would look like a
      // restart, and its remainder like new evictions.
      if (evictions > seen) this.inc(evictions - seen);
      seen = evictions;
    },
  });
}
