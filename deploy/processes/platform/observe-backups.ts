import { Gauge, type Registry } from 'prom-client';
import { lastTimeOf } from '#api/audit/tables/audit-log.ts';
import type { Database } from '#api/postgres/database.ts';
import { refreshed } from '../refreshed.ts';

const REFRESH_MS = 60_000;

/** Exports when the last backup was completed. API processes report it, over the whole installation. */
export function observeBackups(registry: Registry, database: Database): void {
  const last = refreshed({ everyMs: REFRESH_MS }, async () => [await lastTimeOf(database, 'backup.create')]);
  new Gauge({
    name: 'trapline_last_backup_timestamp_seconds',
    help: 'End of the last backup by `trapline backup`, as Unix time; 0 if none is recorded.',
    registers: [registry],
    async collect() {
      const [at] = await last();
      this.set((at?.getTime() ?? 0) / 1_000);
    },
  });
}
