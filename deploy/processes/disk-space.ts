import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import type { Config } from '../config.ts';
import { refreshed } from './refreshed.ts';

/** A disk that stores data. */
export interface Disk {
  /** `data directory`, or the disk name in ClickHouse. */
  readonly name: string;
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** `low`: the free space of a disk is below TRAPLINE_DISK_LOW_PERCENT. `unknown`: no disk could be queried. */
export type DiskState = 'ok' | 'low' | 'unknown';

export interface DiskSpace {
  /** Never rejects; resolves within two seconds. */
  state(): Promise<DiskState>;
}

const EVERY_MS = 5_000;
const WAIT_MS = 1_000;

/**
 * Observes the disks that this process knows: that of its data directory if it runs an embedded engine, and those of a
 * ClickHouse server. PostgreSQL does not report the free space of its disk.
 */
export function observeDiskSpace(
  registry: Registry,
  config: Pick<Config, 'clickhouse' | 'postgres' | 'dataDir' | 'diskLowPercent'>,
  clickhouse: ClickHouse,
): DiskSpace {
  const embedded = config.clickhouse.url === undefined || config.postgres.url === undefined;
  const sources = [
    ...(embedded ? [() => diskOfFolder(config.dataDir)] : []),
    ...(config.clickhouse.url === undefined ? [] : [() => disksOfServer(clickhouse)]),
  ];
  const disks = refreshed({ everyMs: EVERY_MS, waitMs: WAIT_MS }, async () => {
    const asked = await Promise.allSettled(sources.map((ask) => ask()));
    return asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  });
  for (const [name, help, read] of [
    ['trapline_disk_free_bytes', 'Free space of a disk that stores data.', (disk: Disk) => disk.freeBytes],
    ['trapline_disk_total_bytes', 'Size of a disk that stores data.', (disk: Disk) => disk.totalBytes],
  ] as const) {
    new Gauge({
      name,
      help,
      labelNames: ['disk'],
      registers: [registry],
      async collect() {
        const now = await disks();
        this.reset();
        for (const disk of now) this.set({ disk: disk.name }, read(disk));
      },
    });
  }
  return {
    async state() {
      const now = await disks();
      if (now.length === 0) return 'unknown';
      return now.some((disk) => isLow(disk, config.diskLowPercent)) ? 'low' : 'ok';
    },
  };
}

function isLow({ freeBytes, totalBytes }: Disk, lowPercent: number): boolean {
  return freeBytes * 100 < totalBytes * lowPercent;
}

async function diskOfFolder(folder: string): Promise<Disk[]> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return [{ name: 'data directory', freeBytes: bavail * bsize, totalBytes: blocks * bsize }];
}

async function disksOfServer(clickhouse: ClickHouse): Promise<Disk[]> {
  const rows = await clickhouse.rows<{ name: string; free: string; total: string }>(
    'read the free space',
    'SELECT name, unreserved_space AS free, total_space AS total FROM system.disks WHERE total_space > 0',
  );
  return rows.map(({ name, free, total }) => ({ name, freeBytes: Number(free), totalBytes: Number(total) }));
}
