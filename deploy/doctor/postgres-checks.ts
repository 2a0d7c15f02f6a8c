import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createDatabase, type Database } from '#api/store/database.ts';
import { pendingMigrations } from '#api/store/migrations/migrate.ts';
import type { Config } from '../config.ts';
import { startPostgresEngine } from '../engines/postgres.ts';
import { type Check, fine, look, wrong } from './check.ts';

/** The oldest PostgreSQL that is still maintained (end of 2026) and that the queries were tried on. */
const OLDEST_MAJOR = 14;
const MOST_SKEW_SECONDS = 5;
const UNREACHABLE = 'look at DATABASE_URL';

/** The server of the URL, else whether the embedded engine starts on this machine at all. */
export function postgresChecks({ postgres: { url } }: Config): Check[] {
  if (url === undefined) {
    return [
      { name: 'embedded PostgreSQL', advice: 'set DATABASE_URL to a server, or look at what it says', run: tryEngine },
    ];
  }
  const ask = async <T>(question: (database: Database) => Promise<T>): Promise<T> => {
    const database = createDatabase({ url, connections: 1, statementTimeoutMs: 5_000 });
    try {
      return await question(database);
    } finally {
      await database.destroy();
    }
  };
  return [
    { name: 'PostgreSQL', advice: UNREACHABLE, run: () => ask(checkVersion) },
    { name: 'PostgreSQL clock', advice: UNREACHABLE, run: () => ask(checkClock) },
    { name: 'PostgreSQL tables', advice: UNREACHABLE, run: () => ask(checkTables) },
  ];
}

async function tryEngine() {
  const dataDir = await mkdtemp(join(tmpdir(), 'trapline-doctor-'));
  try {
    const engine = await startPostgresEngine({ dataDir });
    const database = createDatabase({ url: engine.url, connections: 1 });
    try {
      return fine(`${await version(database)} starts`);
    } finally {
      await database.destroy();
      await engine.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function version(database: Database): Promise<string> {
  const { rows } = await sql<{ version: string }>`SELECT current_setting('server_version') AS version`.execute(
    database,
  );
  return rows[0]?.version ?? '';
}

async function checkVersion(database: Database) {
  const found = await version(database);
  return Number.parseInt(found, 10) >= OLDEST_MAJOR
    ? fine(found)
    : wrong(found, `PostgreSQL ${OLDEST_MAJOR} or later is needed`);
}

async function checkClock(database: Database) {
  const before = Date.now();
  const { rows } = await sql<{ ms: number }>`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`.execute(
    database,
  );
  const skew = (Number(rows[0]?.ms) - (before + Date.now()) / 2) / 1000;
  const found = `${skew.toFixed(1)} s apart`;
  return Math.abs(skew) <= MOST_SKEW_SECONDS
    ? fine(found)
    : look(found, 'sessions and codes will end too early or too late: let both machines keep time by NTP');
}

async function checkTables(database: Database) {
  const pending = await pendingMigrations(database);
  return pending.length === 0
    ? fine('up to date')
    : wrong(`${pending.length} migrations are pending`, 'run `trapline migrate`');
}
