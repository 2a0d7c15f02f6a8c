import { execFile } from 'node:child_process';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { startClickHouseEngine } from '#deploy/engines/clickhouse.ts';
import { temporaryFolder } from '../support/services/temporary-folder.ts';
import { MAIN, startTrapline } from '../support/trapline-process.ts';
import type { BenchContext } from './context.ts';
import { generateDetections } from './generated-detections.ts';
import { generateEvents } from './generated-events.ts';
import { type BenchRow, boundRow } from './row.ts';

const DETECTIONS = 50_000;
const MINUTES = 10;

/**
 * Measures `trapline backup` of a running service on embedded engines, and `trapline restore` into an empty data
 * directory with its comparison. The time is that of both commands as processes.
 */
export async function benchBackup({ stored, progress }: BenchContext): Promise<BenchRow[]> {
  return temporaryFolder('backup', async (folder) => {
    const source = join(folder, 'source');
    const dataDir = join(source, 'data');
    await fill(join(dataDir, 'clickhouse'), stored, progress);
    const server = await startTrapline(['start', '--no-demo'], { LOG_LEVEL: 'warn' }, source);
    const backup = join(folder, 'backup');
    let backupSeconds: number;
    try {
      await server.logged('Ctrl-C');
      backupSeconds = await timed(['backup', backup], dataDir);
      progress(`backup took ${backupSeconds.toFixed(1)} s`);
    } finally {
      await server.endAll();
    }
    const target = join(folder, 'target');
    await mkdir(target, { mode: 0o700 });
    for (const name of await readdir(dataDir))
      if (name.endsWith('.secret')) await cp(join(dataDir, name), join(target, name));
    const restoreSeconds = await timed(['restore', backup], target);
    progress(`restore took ${restoreSeconds.toFixed(1)} s`);
    const { stdout } = await promisify(execFile)('du', ['-sm', backup]);
    return [
      {
        ...boundRow(
          `backup and restore, ${stored.toLocaleString('en-US')} events`,
          's',
          backupSeconds + restoreSeconds,
          MINUTES * 60,
        ),
        details: [
          `backup ${backupSeconds.toFixed(1)} s, restore with comparison ${restoreSeconds.toFixed(1)} s, ${Number.parseInt(stdout, 10)} MiB`,
        ],
      },
    ];
  });
}

async function fill(dataDir: string, events: number, progress: (text: string) => void): Promise<void> {
  const engine = await startClickHouseEngine({ dataDir });
  const clickhouse = createClickHouse({ ...engine, database: 'trapline', requestTimeoutMs: 600_000 });
  try {
    await migrate(clickhouse);
    await generateEvents(clickhouse, events, progress);
    await generateDetections(clickhouse, DETECTIONS);
  } finally {
    await clickhouse.close();
    await engine.stop();
  }
}

async function timed(args: readonly string[], dataDir: string): Promise<number> {
  const begun = performance.now();
  const env = { ...process.env, TRAPLINE_DATA_DIR: dataDir };
  await promisify(execFile)(process.execPath, [MAIN, ...args], { env });
  return (performance.now() - begun) / 1000;
}
