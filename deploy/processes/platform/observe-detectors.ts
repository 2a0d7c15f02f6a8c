import { Gauge, type Registry } from 'prom-client';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { detectorHabits } from '#analytics/clickhouse/read-models/detector-habits.ts';
import { refreshed } from '../refreshed.ts';

/** Silence is measured in hours, and the query reads two weeks of events. */
const REFRESH_MS = 300_000;

/**
 * Exports the time of the last event of each host that sends regularly, over the whole installation. Shows a detector
 * that has stopped.
 */
export function observeDetectors(registry: Registry, clickhouse: ClickHouse): void {
  const habits = refreshed({ everyMs: REFRESH_MS }, () => detectorHabits(clickhouse));
  const registers = [registry];
  const labelNames = ['hostname'] as const;
  new Gauge({
    name: 'trapline_detector_last_event_timestamp_seconds',
    help: 'When the last event of a host was received. Covers hosts with events in 24 different hours of the last 14 days; at most the 1,000 that have been silent longest.',
    labelNames,
    registers,
    async collect() {
      const all = await habits();
      this.reset();
      for (const { hostname, lastMs } of all) this.set({ hostname }, lastMs / 1_000);
    },
  });
  new Gauge({
    name: 'trapline_detector_usual_gap_seconds',
    help: 'Longest gap between two events of a host in the last 14 days.',
    labelNames,
    registers,
    async collect() {
      const all = await habits();
      this.reset();
      for (const { hostname, usualGapSeconds } of all) this.set({ hostname }, usualGapSeconds);
    },
  });
}
