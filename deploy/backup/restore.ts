import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { finishedMigrations, MIGRATIONS, migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { verifyAuditLog } from '#api/audit/verify.ts';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { knownMigrations, migrateDatabase, migrateDatabaseTo } from '#api/postgres/migrations/migrate.ts';
import { forgetProcessReports } from '#api/telemetry/processes/process-reports.ts';
import { CommandError, usageError } from '../cli/command-error.ts';
import type { Config } from '../config.ts';
import { claimBackup } from '../processes/instance.ts';
import type { Progress } from './back-up.ts';
import { copyFile, copyFolder, damagedFiles, filesBelow, openBackup } from './backup-folder.ts';
import {
  type DestinationOf,
  damagedParts,
  dropStaging,
  makeStaging,
  putInPlace,
  restoreGroup,
  sizeOf,
  stagingOf,
} from './clickhouse-copy.ts';
import { moveConsumerGroup } from './consumer-group.ts';
import { serverDestination } from './destination.ts';
import { type Manifest, unknownMigrationsOf } from './manifest.ts';
import { connectionsInUse, countRows, dropTables, holdsAccounts, importTables } from './postgres-copy.ts';
import { answerDifferences, ask, questionsOf } from './questions.ts';
import { requireAllServers, restoreCluster, tryRestore } from './restore-cluster.ts';
import { missingSecrets } from './secrets.ts';
import type { BackupShard } from './shards.ts';
import { openForRestore, type Stores } from './stores.ts';

export interface RestoreOptions {
  readonly folder: string;
  /** If true, existing data are deleted. */
  readonly replace: boolean;
  readonly progress: Progress;
  /** Called with one line per comparison. */
  readonly verified: (line: string) => void;
}

/**
 * Checks a backup without the stores. It must be complete, in a known format with known migrations, unchanged, and made
 * with the secrets of this configuration. Rejects with a `CommandError`.
 */
export async function checkBackup(config: Config, folder: string, progress: Progress): Promise<Manifest> {
  const manifest = await openBackup(folder);
  const known = { postgres: knownMigrations(), clickhouse: MIGRATIONS.map(({ number }) => number) };
  const unknown = unknownMigrationsOf(manifest, known);
  if (unknown.length > 0)
    throw new CommandError(
      `the backup is of Trapline ${manifest.version}, which has migrations that this version does not know (${unknown.join(', ')}): install that version`,
    );
  const missing = await missingSecrets(config, manifest.secrets);
  if (missing.length > 0)
    throw usageError(`the secrets differ from those of the backup\n${missing.map((line) => `  ${line}`).join('\n')}`);
  const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  let read = 0;
  const damaged = await damagedFiles(folder, manifest.files, (bytes) => {
    read += bytes;
    progress.step('checksums', read / Math.max(1, total));
  });
  if (damaged.length > 0) throw new CommandError(`the backup is damaged: ${some(damaged)}`);
  return manifest;
}

/**
 * Restores a backup into empty stores, or replaces their content. Runs all possible checks before it changes anything.
 */
export async function restore(config: Config, options: RestoreOptions): Promise<Manifest> {
  const { folder, progress } = options;
  const manifest = await checkBackup(config, folder, progress);
  if ((config.clickhouse.url === undefined) !== (manifest.clickhouse.destination === undefined))
    throw usageError(
      manifest.clickhouse.destination === undefined
        ? 'the backup holds the data of an embedded ClickHouse: unset CLICKHOUSE_URL'
        : `a ClickHouse server wrote its part to ${manifest.clickhouse.destination}: set CLICKHOUSE_URL to one that can read it`,
    );
  if (manifest.clickhouse.shards !== undefined && config.clickhouse.cluster === undefined)
    throw usageError(
      `the backup is of a ClickHouse cluster with the shards ${manifest.clickhouse.shards.join(', ')}: set CLICKHOUSE_CLUSTER and CLICKHOUSE_URL to one with the same shards`,
    );
  const lock = await claimBackup(config.dataDir);
  try {
    const stores = await openForRestore(config);
    try {
      await requireFree(stores, options.replace);
      await restoreInto(config, stores, manifest, options);
    } finally {
      await stores.close();
    }
  } finally {
    await lock.release();
  }
  return manifest;
}

async function requireFree({ postgresUrl, clickhouse, shards }: Stores, replace: boolean): Promise<void> {
  const connections = await connectionsInUse(postgresUrl);
  if (connections > 0)
    throw new CommandError(
      `Trapline's processes have ${connections} connections to PostgreSQL: stop all of them to restore a backup`,
    );
  if (replace) return;
  const rows = await rowsIn(shards);
  if (rows > 0)
    throw new CommandError(
      `ClickHouse holds ${rows} rows in ${clickhouse.database}: --replace deletes them and restores the backup`,
    );
  if (await holdsAccounts(postgresUrl))
    throw new CommandError('PostgreSQL holds accounts: --replace deletes them and restores the backup');
}

async function rowsIn(shards: readonly BackupShard[]): Promise<number> {
  const sizes = await Promise.all(shards.map(({ clickhouse }) => sizeOf(clickhouse)));
  return sizes.reduce((sum, { rows }) => sum + rows, 0);
}

async function restoreInto(config: Config, stores: Stores, manifest: Manifest, options: RestoreOptions): Promise<void> {
  const { clickhouse, shards, engineFolder } = stores;
  const from = manifest.clickhouse.database;
  const { progress, verified } = options;
  const id = 'restoring';
  await engineFolder?.remove(id);
  const destinationOf: DestinationOf =
    manifest.clickhouse.destination === undefined
      ? (group) => `File('${id}/${group}')`
      : serverDestination(manifest.clickhouse.destination, config.s3Keys);
  try {
    if (config.clickhouse.cluster === undefined) {
      await makeStaging(clickhouse);
      await restoreTables(stores, manifest, { ...options, id, destinationOf });
      await restorePostgres(stores.postgresUrl, manifest, options);
      await putInPlace(clickhouse, manifest.clickhouse.groups, { from, destinationOf });
    } else {
      const part = { clickhouse, shards, manifest: manifest.clickhouse, destinationOf, progress, verified };
      await requireAllServers(shards);
      if ((await rowsIn(shards)) > 0) await tryRestore(part);
      await restoreCluster(part);
      await restorePostgres(stores.postgresUrl, manifest, options);
    }
    await migrate(clickhouse, config.retentionDays);
    options.verified(`ClickHouse: migrations ${[...(await finishedMigrations(clickhouse))].join(', ')}`);
    await restoreFiles(config, options.folder);
    for (const line of await moveConsumerGroup(config, manifest.clickhouse.answers)) options.verified(line);
  } finally {
    await engineFolder?.remove(id);
  }
}

/** Restores the ClickHouse tables into a staging database and compares them with the backup. */
async function restoreTables(
  { clickhouse, engineFolder }: Stores,
  manifest: Manifest,
  options: RestoreOptions & { readonly id: string; readonly destinationOf: DestinationOf },
): Promise<void> {
  const { folder, id, destinationOf, progress, verified } = options;
  const { database: from, groups, answers: expected } = manifest.clickhouse;
  const total = manifest.files.reduce((sum, { path, bytes }) => sum + (path.startsWith('clickhouse/') ? bytes : 0), 0);
  let copied = 0;
  try {
    for (const [index, group] of groups.entries()) {
      if (engineFolder !== undefined) {
        const report = (bytes: number) => {
          copied += bytes;
          progress.step('ClickHouse', (0.8 * copied) / Math.max(1, total));
        };
        await copyFolder(join(folder, 'clickhouse', group.name), join(engineFolder.path, id, group.name), {
          base: folder,
          progress: report,
        });
        await engineFolder.handOver();
      }
      await restoreGroup(clickhouse, group, { from, destinationOf, progress: () => {} });
      // Files in the folder were verified with their checksums, but not those that a server wrote elsewhere.
      const damaged = engineFolder === undefined ? await damagedParts(clickhouse, group) : [];
      if (damaged.length > 0) throw new CommandError(`the backup is damaged: ${some(damaged)}`);
      const found = await ask(clickhouse, stagingOf(clickhouse.database), questionsOf(group));
      const questions = Object.fromEntries(Object.keys(found).map((name) => [name, expected[name] ?? []]));
      const differences = answerDifferences(questions, found);
      if (differences.length > 0)
        throw new CommandError(`the restored ClickHouse data differ from the backup: ${some(differences)}`);
      for (const [name, rows] of Object.entries(found))
        verified(
          `ClickHouse: ${name}: ${rows.length === 1 ? Object.values(rows[0] ?? {}).join(' ') : `${rows.length} lines`}, as in the backup`,
        );
      if (engineFolder !== undefined && group.views.length === 0) await engineFolder.remove(join(id, group.name));
      progress.step('ClickHouse', (index + 1) / groups.length);
    }
  } catch (error) {
    await dropStaging(clickhouse);
    throw error;
  }
}

async function restorePostgres(
  url: string,
  { postgres }: Manifest,
  { folder, progress, verified }: RestoreOptions,
): Promise<void> {
  await dropTables(url);
  const last = postgres.migrations.at(-1);
  if (last === undefined) throw new CommandError('the backup has no PostgreSQL migrations');
  await withDatabase(url, (database) => migrateDatabaseTo(database, last));
  await importTables(url, postgres, {
    fileOf: (table) => join(folder, 'postgres', `${table}.copy.gz`),
    progress: (share) => progress.step('PostgreSQL', share),
  });
  const counts = await countRows(
    url,
    postgres.tables.map(({ name }) => name),
  );
  for (const { name, rows } of postgres.tables) {
    if (counts.get(name) !== rows)
      throw new CommandError(`${name}: ${counts.get(name)} rows restored, ${rows} in the backup`);
    verified(`PostgreSQL: rows of ${name}: ${rows}, as in the backup`);
  }
  await withDatabase(url, async (database) => {
    await migrateDatabase(database);
    // The reports are from the time of the backup; none of these processes is running.
    await forgetProcessReports(database);
    const { entries, head } = postgres.audit;
    const { verified: whole, broken } = await verifyAuditLog(
      database,
      entries === 0 ? undefined : { id: entries, hash: head },
    );
    if (broken !== undefined) throw new CommandError(`the audit log is broken at entry ${broken.id} (${broken.fault})`);
    verified(`PostgreSQL: audit log: ${whole} entries, the chain is whole and ends as in the backup`);
  });
}

async function restoreFiles({ dataDir }: Config, folder: string): Promise<void> {
  for (const name of await filesBelow(join(folder, 'files'))) {
    const to = join(dataDir, name);
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await rm(to, { force: true });
    await copyFile(join(folder, 'files', name), to, { base: dataDir });
  }
}

async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = createDatabase({ url, connections: 2, statementTimeoutMs: 600_000 });
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

function some(lines: readonly string[]): string {
  return lines.length > 3 ? `${lines.slice(0, 3).join('; ')} and ${lines.length - 3} more` : lines.join('; ');
}
