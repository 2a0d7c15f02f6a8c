import { Counter, Gauge, type Registry } from 'prom-client';
import type { PipelineLane } from '#ingest/pipeline/pipeline-lane.ts';

type LaneStats = ReturnType<PipelineLane['stats']>;

/**
 * What the rules hold in memory, over all lanes of the process. Evictions above zero mean that more programs crash than the bound
 * holds: the least telling of them were forgotten.
 */
export function observeTrackers(registry: Registry, lanes: () => readonly PipelineLane[]): void {
  const registers = [registry];
  const total = (of: (stats: LaneStats) => number): number => lanes().reduce((sum, lane) => sum + of(lane.stats()), 0);
  new Gauge({
    name: 'trapline_detection_programs',
    help: 'Programs the rules remember crashes of.',
    registers,
    collect() {
      this.set(total((stats) => stats.programs));
    },
  });
  new Gauge({
    name: 'trapline_detection_open_episodes',
    help: 'Detections that can still grow.',
    registers,
    collect() {
      this.set(total((stats) => stats.openEpisodes));
    },
  });
  new Counter({
    name: 'trapline_detection_evictions_total',
    help: 'Programs forgotten because the memory bound was reached, by the lanes this process owns now.',
    registers,
    collect() {
      this.reset();
      this.inc(total((stats) => stats.evictions));
    },
  });
}
