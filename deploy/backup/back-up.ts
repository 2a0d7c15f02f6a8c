import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finishedMigrations } from '#analytics/clickhouse/migrations/migrate.ts';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import { CommandError, usageError } from '../cli/command-error.ts';
import type { Config } from '../config.ts';
import { claimBackup } from '../processes/instance.ts';
import { completeBackup, copyFile, copyFolder, describeFile, makeBackupFolder } from './backup-folder.ts';
import { askBackup, backUpGroup, type DestinationOf, sizeOf, tablesIn } from './clickhouse-copy.ts';
import { belowDestination, serverDestination } from './destination.ts';
import { type BackupFile, FORMATS, type Manifest } from './manifest.ts';
import { CLUSTER_GROUPS, copiedOfCluster, groupDifferences, TABLE_GROUPS } from './order.ts';
import { exportTables, type PostgresExport } from './postgres-copy.ts';
import { namedForShard } from './questions.ts';
import { recordBackup } from './record-backup.ts';
import { secretFingerprints } from './secrets.ts';
import { type BackupShard, catchUp, closeAllBackups, destinationIn, onAll } from './shards.ts';
import { stateFiles } from './state-files.ts';
import { openForBackup, type Stores } from './stores.ts';

export interface BackUpOptions {
  /** Created by the backup. It must not exist, or must be empty. */
  readonly folder: string;
  /** Where a ClickHouse server writes its part, see `serverDestination`. Undefined with the embedded engine. */
  readonly destination: string | undefined;
  readonly progress: Progress;
  /** Receives the error if the backup is complete, but the audit log does not record it. */
  readonly unrecorded: (error: Error) => void;
}

export interface Progress {
  /** `share`: completed fraction of the step, 0 to 1. */
  step(name: string, share: number): void;
}

/**
 * Backs up both stores, the files of the data directory and the fingerprints of the secrets, while the service runs.
 */
export async function backUp(
  config: Config,
  { folder, destination, progress, unrecorded }: BackUpOptions,
): Promise<Manifest> {
  if ((config.clickhouse.url === undefined) !== (destination === undefined))
    throw usageError(
      destination === undefined
        ? 'a ClickHouse server cannot write into this folder: say where it writes with --clickhouse-to'
        : '--clickhouse-to is for a ClickHouse server: the embedded one writes into the folder of the backup',
    );
  const lock = await claimBackup(config.dataDir);
  try {
    await makeBackupFolder(folder);
    const stores = await openForBackup(config);
    try {
      const manifest = await takeAll(config, stores, { folder, destination, progress });
      await recordBackup(stores.postgresUrl, folder).catch(unrecorded);
      return manifest;
    } finally {
      await stores.close();
    }
  } catch (error) {
    await rm(join(folder, 'postgres'), { recursive: true, force: true });
    await rm(join(folder, 'clickhouse'), { recursive: true, force: true });
    await rm(join(folder, 'files'), { recursive: true, force: true });
    throw error;
  } finally {
    await lock.release();
  }
}

async function takeAll(
  config: Config,
  stores: Stores,
  { folder, destination, progress }: Omit<BackUpOptions, 'unrecorded'>,
): Promise<Manifest> {
  const startedAt = new Date().toISOString();
  const { clickhouse, shards } = stores;
  await closeAllBackups(shards);
  const isCluster = config.clickhouse.cluster !== undefined;
  const found = await tablesIn(clickhouse);
  const differences = isCluster ? groupDifferences(copiedOfCluster(found), CLUSTER_GROUPS) : groupDifferences(found);
  if (differences.length > 0)
    throw new CommandError(`the ClickHouse database ${clickhouse.database} is not complete: ${differences.join('; ')}`);
  const place = placeFor(startedAt, config, stores, destination);
  const secrets = await secretFingerprints(config);
  // Files that PostgreSQL rows refer to are written before the rows and may be deleted after them. Therefore they are
  // copied both before and after the database snapshot is taken.
  const files = await copyState(config, folder, new Map());
  const view = Promise.withResolvers<void>();
  const exported = exportTables(stores.postgresUrl, {
    fileOf: (table) => join(folder, 'postgres', `${table}.copy.gz`),
    opened: async () => view.resolve(),
    progress: (share) => progress.step('PostgreSQL', share),
  });
  const [postgres, groups] = await bothOf(
    exported,
    Promise.race([view.promise, exported]).then(() => takeGroups(stores, { folder, place, progress })),
  );
  await copyState(config, folder, files);
  for (const file of postgres.files) files.set(file, await describeFile(file, folder));
  const manifest: Manifest = {
    format: isCluster ? FORMATS.cluster : FORMATS.server,
    version: PRODUCT_VERSION,
    startedAt,
    finishedAt: new Date().toISOString(),
    secrets,
    postgres: partOf(postgres),
    clickhouse: {
      server: await serverVersion(stores),
      database: clickhouse.database,
      migrations: [...(await finishedMigrations(clickhouse))],
      ...(place.destination === undefined ? {} : { destination: place.destination }),
      ...(isCluster ? { shards: shards.flatMap(({ name }) => name ?? []) } : {}),
      groups: groups.taken,
      answers: groups.answers,
    },
    files: [...files.values(), ...groups.files],
  };
  await completeBackup(folder, manifest);
  return manifest;
}

interface Place {
  readonly id: string;
  readonly destination: string | undefined;
  readonly destinationOf: DestinationOf;
}

/** Returns a unique name for each backup, so that a server never writes into an earlier one. */
function placeFor(startedAt: string, config: Config, { engineFolder }: Stores, destination: string | undefined): Place {
  const id = `trapline-${startedAt.replaceAll(/[:.]/g, '-')}`;
  if (engineFolder !== undefined)
    return { id, destination: undefined, destinationOf: (group) => `File('${id}/${group}')` };
  const below = belowDestination(destination ?? '', id);
  return { id, destination: below, destinationOf: serverDestination(below, config.s3Keys) };
}

async function takeGroups(
  { shards, engineFolder }: Stores,
  { folder, place, progress }: { readonly folder: string; readonly place: Place; readonly progress: Progress },
) {
  const sizes = await Promise.all(shards.map(({ clickhouse }) => sizeOf(clickhouse)));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  // The data of an embedded engine are read twice: by the engine, and to copy them into the folder.
  const passes = engineFolder === undefined ? 1 : 2;
  let done = 0;
  const report = (bytes: number) => progress.step('ClickHouse', Math.min(1, bytes / Math.max(1, total * passes)));
  const taken: Manifest['clickhouse']['groups'] = [];
  const answers: Manifest['clickhouse']['answers'] = {};
  const files: BackupFile[] = [];
  try {
    for (const group of shards.some(({ name }) => name !== undefined) ? CLUSTER_GROUPS : TABLE_GROUPS) {
      const takenAt = new Date().toISOString();
      const written = new Map<BackupShard, number>();
      const all = () => [...written.values()].reduce((sum, bytes) => sum + bytes, 0);
      await onAll(shards, async (shard) => {
        const destinationOf = destinationIn(shard.name, place.destinationOf);
        await catchUp(shard.clickhouse, shard.name, group.tables);
        await backUpGroup(shard.clickhouse, group, destinationOf, (bytes) => {
          written.set(shard, bytes);
          report(done + all());
        });
        Object.assign(answers, namedForShard(await askBackup(shard.clickhouse, group, destinationOf), shard.name));
      });
      done += all();
      taken.push({ ...group, tables: [...group.tables], views: [...group.views], takenAt });
      if (engineFolder === undefined) continue;
      const copied = (bytes: number) => {
        done += bytes;
        report(done);
      };
      const from = join(engineFolder.path, place.id, group.name);
      files.push(
        ...(await copyFolder(from, join(folder, 'clickhouse', group.name), { base: folder, progress: copied })),
      );
      await engineFolder.remove(join(place.id, group.name));
    }
    progress.step('ClickHouse', 1);
    return { taken, answers, files };
  } finally {
    await engineFolder?.remove(place.id);
  }
}

/** Copies the files of the data directory that are not in `copied`. */
async function copyState(
  { dataDir, s3 }: Config,
  folder: string,
  copied: Map<string, BackupFile>,
): Promise<Map<string, BackupFile>> {
  for (const name of await stateFiles(dataDir)) {
    if (copied.has(name) || (s3 !== undefined && name.startsWith('files/'))) continue;
    const to = join(folder, 'files', name);
    try {
      copied.set(name, await copyFile(join(dataDir, name), to, { base: folder }));
    } catch (error) {
      // The file was deleted since it was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await rm(to, { force: true });
    }
  }
  return copied;
}

/** Waits for both operations, so that neither is still writing when the other has failed. */
async function bothOf<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

function partOf({ files: _, ...part }: PostgresExport): Manifest['postgres'] {
  return part;
}

async function serverVersion({ clickhouse }: Stores): Promise<string> {
  const [row] = await clickhouse.rows<{ version: string }>('read the version', 'SELECT version() AS version');
  return row?.version ?? '';
}
