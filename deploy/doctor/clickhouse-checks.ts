import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { connectClickHouse } from '#analytics/clickhouse/connect.ts';
import { ClickHouseTooNew, finishedMigrations, MIGRATIONS } from '#analytics/clickhouse/migrations/migrate.ts';
import { serversBehind } from '#analytics/clickhouse/replica-check.ts';
import { engineOfEvents, storageProblems } from '#analytics/clickhouse/storage-check.ts';
import type { Config } from '../config.ts';
import { startClickHouseEngine } from '../engines/clickhouse.ts';
import { type Check, fine, look, wrong } from './check.ts';
import { clusterChecks } from './cluster-checks.ts';

/**
 * Minimum ClickHouse version with the settings and functions that tables and queries use, e.g. indexes that are built
 * by merges instead of inserts.
 */
const OLDEST = [26, 2] as const;
/** Minimum ClickHouse version for a cluster. Older ones can lose or duplicate a block whose quorum failed. */
const OLDEST_OF_CLUSTER = [26, 6] as const;
const MAX_SKEW_SECONDS = 5;
const UNREACHABLE = 'check CLICKHOUSE_URL, CLICKHOUSE_USER and CLICKHOUSE_PASSWORD';

/** Checks the configured server, or else whether the embedded engine starts on this machine. */
export function clickHouseChecks(config: Config): Check[] {
  const { url, cluster, cloud } = config.clickhouse;
  if (url === undefined) {
    return [
      {
        name: 'embedded ClickHouse',
        advice: 'set CLICKHOUSE_URL to a server, or resolve the reported error',
        run: () => tryEngine(config),
      },
    ];
  }
  const ask = async <T>(question: (clickhouse: ClickHouse) => Promise<T>): Promise<T> => {
    const clickhouse = connectClickHouse({ ...config.clickhouse, requestTimeoutMs: 5_000 });
    try {
      return await question(clickhouse);
    } finally {
      await clickhouse.close();
    }
  };
  const oldest = cluster === undefined ? OLDEST : OLDEST_OF_CLUSTER;
  return [
    { name: 'ClickHouse', advice: UNREACHABLE, run: () => ask((clickhouse) => checkVersion(clickhouse, oldest)) },
    { name: 'ClickHouse clock', advice: UNREACHABLE, run: () => ask(checkClock) },
    { name: 'ClickHouse tables', advice: UNREACHABLE, run: () => ask(checkTables) },
    { name: 'ClickHouse disk', advice: UNREACHABLE, run: () => ask(checkDisk) },
    ...(cluster === undefined
      ? [
          {
            name: 'ClickHouse address',
            advice: UNREACHABLE,
            run: () => ask((clickhouse) => checkAddress(clickhouse, cloud)),
          },
        ]
      : clusterChecks(
          (question) =>
            ask((clickhouse) => {
              if (clickhouse.replicas === undefined) throw new TypeError('the client has no replicas');
              return question(clickhouse, clickhouse.replicas);
            }),
          UNREACHABLE,
        )),
  ];
}

async function tryEngine({ engineIsolation: isolation }: Config) {
  const dataDir = await mkdtemp(join(tmpdir(), 'trapline-doctor-'));
  try {
    const engine = await startClickHouseEngine({ dataDir, isolation });
    const clickhouse = createClickHouse({ ...engine, database: 'default' });
    try {
      const network = engine.isolated ? 'no network' : 'access to the network';
      const files = engine.confined ? 'own files only' : 'access to files of its account';
      return fine(`${await version(clickhouse)} starts: ${network}, ${files}`);
    } finally {
      await clickhouse.close();
      await engine.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function version(clickhouse: ClickHouse): Promise<string> {
  const [row] = await clickhouse.rows<{ version: string }>('read the version', 'SELECT version() AS version');
  return row?.version ?? '';
}

async function checkAddress(clickhouse: ClickHouse, cloud: boolean) {
  const engine = await engineOfEvents(clickhouse);
  const problems = storageProblems(engine, cloud);
  if (problems.length > 0) return wrong(problems.join('; '), 'see CLICKHOUSE_CLOUD');
  if (cloud) return fine(`a service of ClickHouse Cloud${engine === undefined ? '' : `, ${engine}`}`);
  const servers = await serversBehind(clickhouse);
  return servers.length === 1
    ? fine('one server')
    : wrong(
        `a load balancer in front of ${servers.length} servers`,
        'name one server, or list the replicas and set CLICKHOUSE_CLUSTER',
      );
}

async function checkVersion(clickhouse: ClickHouse, oldest: readonly [number, number]) {
  const found = await version(clickhouse);
  const [major = 0, minor = 0] = found.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
    ? fine(found)
    : wrong(found, `ClickHouse ${oldest.join('.')} or later is needed`);
}

async function checkClock(clickhouse: ClickHouse) {
  const before = Date.now();
  const [row] = await clickhouse.rows<{ ms: string }>('read the time', 'SELECT toUnixTimestamp64Milli(now64(3)) AS ms');
  const skew = (Number(row?.ms) - (before + Date.now()) / 2) / 1000;
  const found = `${skew.toFixed(1)} s apart`;
  return Math.abs(skew) <= MAX_SKEW_SECONDS
    ? fine(found)
    : look(found, 'receipt times will not fit: let both machines keep time by NTP');
}

async function checkTables(clickhouse: ClickHouse) {
  const { database } = clickhouse;
  const tables = await clickhouse.rows<{ name: string }>(
    'list its tables',
    'SELECT name FROM system.tables WHERE database = {database:String}',
    {
      params: { database },
    },
  );
  if (!tables.some(({ name }) => name === 'migrations')) return wrong(`none in ${database}`, 'run `trapline migrate`');
  const finished = await finishedMigrations(clickhouse).catch((error: unknown) => {
    if (error instanceof ClickHouseTooNew) return error;
    throw error;
  });
  if (finished instanceof ClickHouseTooNew) return wrong(finished.message, '');
  const pending = MIGRATIONS.filter(({ number }) => !finished.has(number));
  if (pending.length > 0) return wrong(`${pending.length} migrations are pending`, 'run `trapline migrate`');
  return fine(`${tables.length} in ${database}, up to date`);
}

async function checkDisk(clickhouse: ClickHouse) {
  const disks = await clickhouse.rows<{ name: string; free: number }>(
    'read the free disk space',
    'SELECT name, unreserved_space / total_space AS free FROM system.disks WHERE total_space > 0',
  );
  const full = disks.filter(({ free }) => free < 0.1);
  const found = disks.map(({ name, free }) => `${name} ${Math.round(free * 100)} % free`).join(', ') || 'unknown';
  return full.length === 0
    ? fine(found)
    : look(found, 'inserts stop when it is full: make room, or shorten the retention');
}
