import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { connectClickHouse } from '#analytics/clickhouse/connect.ts';
import { CommandError } from '../cli/command-error.ts';
import type { Config } from '../config.ts';
import { type ClickHouseEngine, startClickHouseEngine } from '../engines/clickhouse.ts';
import { BACKUP_FOLDER } from '../engines/clickhouse-config.ts';
import { backupAddress } from '../engines/clickhouse-directory.ts';
import { runningPostgresUrl, startPostgresEngine } from '../engines/postgres.ts';
import { claimDataDirectory, DataDirectoryInUse } from '../processes/instance.ts';
import { type BackupShard, chooseServers } from './shards.ts';

export interface Stores {
  readonly postgresUrl: string;
  readonly clickhouse: ClickHouse;
  /** The servers on which BACKUP and RESTORE run, one per shard. */
  readonly shards: readonly BackupShard[];
  /** Where the embedded ClickHouse writes and reads backups; undefined with a server. */
  readonly engineFolder: EngineFolder | undefined;
  close(): Promise<void>;
}

/** A folder below the data of the embedded ClickHouse, owned by its account. */
export interface EngineFolder {
  readonly path: string;
  /** Changes the owner of the files that this process wrote there to the account of the engine. */
  handOver(): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Privileges for a restore, in addition to those of Trapline. */
const RESTORE_PRIVILEGES = [
  'BACKUP, CREATE DATABASE, DROP DATABASE, DROP TABLE, CREATE TABLE, CREATE VIEW, INSERT, SELECT, SYSTEM MERGES, CHECK ON *.*',
];

type Closing = (() => Promise<void>)[];

/** Opens the stores of the running service, which continues. Starts an embedded engine that is not running. */
export async function openForBackup(config: Config): Promise<Stores> {
  return opened(config, async (closing) => {
    const running = await runningEngines(config);
    if (running.clickhouse === undefined || running.postgres === undefined)
      await claim(config, closing, 'its embedded engines do not respond: check its log');
    const postgresUrl = running.postgres ?? (await startPostgres(config, closing));
    if (config.clickhouse.url !== undefined) return { postgresUrl, clickhouse: connectServer(config, closing) };
    if (running.clickhouse === undefined) await startEngine(config, [], closing);
    const address = await backupAddress(engineDirectory(config));
    if (address === undefined)
      throw new CommandError('the embedded ClickHouse does not respond: check the log of the server');
    closing.push(address.close);
    const clickhouse = createClickHouse({
      ...address,
      url: 'http://clickhouse.invalid',
      database: config.clickhouse.database,
    });
    closing.push(() => clickhouse.close());
    return { postgresUrl, clickhouse };
  });
}

/** Opens the stores exclusively. Rejects if the service is running on the data directory. */
export async function openForRestore(config: Config): Promise<Stores> {
  return opened(config, async (closing) => {
    await claim(config, closing, 'a backup is restored while no process runs on it');
    const postgresUrl = config.postgres.directUrl ?? (await startPostgres(config, closing));
    if (config.clickhouse.url !== undefined) return { postgresUrl, clickhouse: connectServer(config, closing) };
    const engine = await startEngine(config, RESTORE_PRIVILEGES, closing);
    const clickhouse = createClickHouse({ ...engine, database: config.clickhouse.database, requestTimeoutMs: 600_000 });
    closing.push(() => clickhouse.close());
    return { postgresUrl, clickhouse };
  });
}

async function opened(
  config: Config,
  open: (closing: Closing) => Promise<Pick<Stores, 'postgresUrl' | 'clickhouse'>>,
): Promise<Stores> {
  const closing: Closing = [];
  const close = async () => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  try {
    const stores = await open(closing);
    const engineFolder = config.clickhouse.url === undefined ? await makeEngineFolder(config) : undefined;
    return { ...stores, shards: await chooseServers(stores.clickhouse), engineFolder, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns which engines are running. A configured server URL counts as running. */
async function runningEngines(
  config: Config,
): Promise<{ readonly postgres?: string | undefined; readonly clickhouse?: true | undefined }> {
  const postgres = config.postgres.directUrl ?? (await runningPostgresUrl(join(config.dataDir, 'postgres')));
  if (config.clickhouse.url !== undefined) return { postgres, clickhouse: true };
  const address = await backupAddress(engineDirectory(config));
  await address?.close();
  return { postgres, clickhouse: address === undefined ? undefined : true };
}

async function claim(config: Config, closing: Closing, advice: string): Promise<void> {
  try {
    const instance = await claimDataDirectory(config.dataDir);
    closing.push(instance.release);
  } catch (error) {
    if (error instanceof DataDirectoryInUse) throw new CommandError(`${error.message}; ${advice}`);
    throw error;
  }
}

async function startPostgres(config: Config, closing: Closing): Promise<string> {
  const dataDir = join(config.dataDir, 'postgres');
  const engine = await startPostgresEngine({ dataDir, programs: config.postgres.programs });
  closing.push(engine.stop);
  return engine.url;
}

async function startEngine(
  config: Config,
  morePrivileges: readonly string[],
  closing: Closing,
): Promise<ClickHouseEngine> {
  const engine = await startClickHouseEngine({
    dataDir: engineDirectory(config),
    isolation: config.engineIsolation,
    memoryMiB: Math.floor(config.engineMemoryBytes / 2 ** 20),
    morePrivileges,
  });
  closing.push(engine.stop);
  return engine;
}

function connectServer(config: Config, closing: Closing): ClickHouse {
  const clickhouse = connectClickHouse({ ...config.clickhouse, requestTimeoutMs: 600_000 });
  closing.push(() => clickhouse.close());
  return clickhouse;
}

function engineDirectory({ dataDir }: Config): string {
  return join(dataDir, 'clickhouse');
}

async function makeEngineFolder(config: Config): Promise<EngineFolder> {
  const data = join(engineDirectory(config), 'data');
  const path = join(data, BACKUP_FOLDER);
  await mkdir(path, { recursive: true, mode: 0o700 });
  // chown(1) and rm(1) do not follow a symbolic link that the account of the engine may have created there.
  const handOver = async () => {
    if (process.getuid?.() === 0) await promisify(execFile)('chown', ['-RhP', `--reference=${data}`, '--', path]);
  };
  const remove = async (name: string) => void (await promisify(execFile)('rm', ['-rf', '--', join(path, name)]));
  for (const name of await readdir(path)) await remove(name); // Left by a killed backup.
  await handOver();
  return { path, handOver, remove };
}
