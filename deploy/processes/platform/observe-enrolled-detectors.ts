import { Gauge, type Registry } from 'prom-client';
import { countDetectors } from '#api/detectors/tables/detectors.ts';
import type { Database } from '#api/postgres/database.ts';
import { refreshed } from '../refreshed.ts';

const REFRESH_MS = 30_000;

/** Exports how many enrolled detectors report their status and how many do not, over the whole installation. */
export function observeEnrolledDetectors(registry: Registry, database: Database): void {
  const counts = refreshed({ everyMs: REFRESH_MS }, async () => [await countDetectors(database)]);
  new Gauge({
    name: 'trapline_enrolled_detectors',
    help: 'Detectors of enrolled hosts by state: reporting, or silent for five minutes.',
    labelNames: ['state'] as const,
    registers: [registry],
    async collect() {
      const all = await counts();
      this.reset();
      for (const { enrolled, silent } of all) {
        this.set({ state: 'reporting' }, enrolled - silent);
        this.set({ state: 'silent' }, silent);
      }
    },
  });
}
