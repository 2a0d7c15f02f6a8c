import { Gauge, type Registry } from 'prom-client';
import type { LaneStats } from '#ingest/pipeline/pipeline-lane.ts';

/** State of landing over all lanes of a process. */
export interface Landing {
  /** How long an operation of the worst lane has been failing without a success, ms; 0 if none is failing. */
  readonly failingMs: number;
  /** When a batch last became durable; undefined before the first. Epoch milliseconds. */
  readonly lastLandedMs: number | undefined;
}

/** A shorter failure is a restart or a lost connection, and is ignored. */
const FAILING_AFTER_MS = 5_000;

/** Returns true if a store accepts no inserts, even if it responds to queries. */
export function isFailing({ failingMs }: Landing): boolean {
  return failingMs >= FAILING_AFTER_MS;
}

export function landingOf(lanes: readonly LaneStats[], nowMs: number): Landing {
  const failing = lanes.map(({ failingSinceMs }) => (failingSinceMs === undefined ? 0 : nowMs - failingSinceMs));
  const landed = lanes.flatMap(({ lastLandedMs }) => lastLandedMs ?? []);
  return {
    failingMs: Math.max(0, ...failing),
    lastLandedMs: landed.length === 0 ? undefined : Math.max(...landed),
  };
}

/** Exports the same as metrics. A process without lanes reports no time of the last batch. */
export function observeLanding(registry: Registry, lanes: () => Promise<readonly LaneStats[]>): () => Promise<Landing> {
  const landing = async () => landingOf(await lanes(), Date.now());
  new Gauge({
    name: 'trapline_landing_failing_seconds',
    help: 'How long inserts, or operations that they need, have failed without a success; 0 if none is failing.',
    registers: [registry],
    async collect() {
      this.set((await landing()).failingMs / 1_000);
    },
  });
  new Gauge({
    name: 'trapline_last_landed_timestamp_seconds',
    help: 'When a batch of this process last became durable, seconds since 1970.',
    registers: [registry],
    async collect() {
      const { lastLandedMs } = await landing();
      this.reset();
      if (lastLandedMs !== undefined) this.set(lastLandedMs / 1_000);
    },
  });
  return landing;
}
