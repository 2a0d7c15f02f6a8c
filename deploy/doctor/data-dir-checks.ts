import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { type Check, fine, look, wrong } from './check.ts';

const FEWEST_BYTES = 2 * 2 ** 30;

/** Checks the data directory: whether it is usable, which accounts can read it, and its free space. */
export function dataDirChecks({ dataDir, clickhouse, postgres }: Config): Check[] {
  const folder = resolve(dataDir);
  const isNeeded = clickhouse.url === undefined || postgres.url === undefined;
  return [
    {
      name: 'data directory',
      advice: 'set TRAPLINE_DATA_DIR to a folder that this user may write to',
      run: () => (isNeeded ? checkFolder(folder) : checkOptionalFolder(folder)),
    },
    {
      name: 'operator key',
      advice: `chmod 600 ${join(folder, 'operator.key')}`,
      run: () => checkKey(join(folder, 'operator.key')),
    },
    { name: 'disk', advice: 'set TRAPLINE_DATA_DIR to a folder on another disk', run: () => checkDisk(folder) },
  ];
}

async function checkFolder(folder: string) {
  const existing = await nearestExisting(folder);
  await access(existing, constants.W_OK | constants.X_OK);
  if (existing !== folder) return fine(`${folder} (is made at the first start)`);
  const { mode } = await stat(folder);
  if ((mode & 0o077) === 0) return fine(folder);
  return look(`${folder}, mode ${(mode & 0o777).toString(8)}`, `others may look into it: chmod 700 ${folder}`);
}

/** Processes without embedded stores need no data directory. */
async function checkOptionalFolder(folder: string) {
  return checkFolder(folder).catch((error: NodeJS.ErrnoException) =>
    look(
      `${folder} cannot be written to (${error.code})`,
      'without it set AUTH_SECRET, JWT_SECRET, TRAPLINE_SEAT and S3_BUCKET; there is no operator key',
    ),
  );
}

async function checkKey(file: string) {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return fine('is made at the first start');
  const mode = (found.mode & 0o777).toString(8);
  return (found.mode & 0o077) === 0
    ? fine(`mode ${mode}`)
    : wrong(
        `mode ${mode}: other accounts can read it`,
        `chmod 600 ${file}, or remove it: the next start makes a new one`,
      );
}

async function checkDisk(folder: string) {
  const { bavail, bsize } = await statfs(await nearestExisting(folder));
  const free = `${((bavail * bsize) / 2 ** 30).toFixed(1)} GiB free`;
  return bavail * bsize >= FEWEST_BYTES
    ? fine(free)
    : look(free, 'a million events take about 100 MiB: make room, or lower TRAPLINE_RETENTION_DAYS_EVENTS');
}

async function nearestExisting(folder: string): Promise<string> {
  return stat(folder).then(
    () => folder,
    () => nearestExisting(dirname(folder)),
  );
}
