import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { lastTimeOf } from '#api/audit/tables/audit-log.ts';
import { BACKGROUND_MIGRATIONS } from '#api/postgres/background/background-migration.ts';
import { listBackgroundStates } from '#api/postgres/background/background-states.ts';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { hostUrls } from '#api/postgres/hosts.ts';
import { DatabaseTooNew, pendingMigrations, unknownMigrations } from '#api/postgres/migrations/migrate.ts';
import { MAX_AGE_MS } from '#api/read-replica/freshness.ts';
import { incompatibleMigrations } from '#schemas/migration-name.ts';
import type { Config } from '../config.ts';
import { startPostgresEngine } from '../engines/postgres.ts';
import { clusterAccount, clusterMajor } from '../engines/postgres-cluster.ts';
import { findPrograms, OLDEST_MAJOR, UNSUPPORTED_LIBRARIES } from '../engines/postgres-programs.ts';
import { type Check, type Finding, fine, look, wrong } from './check.ts';
import { judgeBackground } from './judge-background.ts';
import { judgeBackup } from './judge-backup.ts';
import { type CompilerState, judgeCompiler } from './judge-compiler.ts';

const MAX_SKEW_SECONDS = 5;
const UNREACHABLE = 'check DATABASE_URL; if it points to PgBouncer, also set DATABASE_DIRECT_URL';
const BUNDLED_ADVICE =
  `the npm package has ${UNSUPPORTED_LIBRARIES}, which get no security fixes: apt-get install postgresql, ` +
  'or set TRAPLINE_POSTGRES_BIN or DATABASE_URL';

/** Checks the configured server, or else whether the embedded engine starts on this machine. */
export function postgresChecks(config: Config): Check[] {
  const { url, directUrl, pooled, replicaUrl } = config.postgres;
  if (url === undefined || directUrl === undefined) {
    return [
      {
        name: 'embedded PostgreSQL',
        advice: 'set DATABASE_URL to a server, or resolve the reported error',
        run: () => tryEngine(config),
      },
    ];
  }
  const ask = <T>(question: (database: Database) => Promise<T>) => askAt({ url: directUrl, pooled: false }, question);
  const pooler: Check = {
    name: 'PostgreSQL pooler',
    advice: UNREACHABLE,
    run: () => askAt({ url, pooled }, checkTimeout),
  };
  return [
    { name: 'PostgreSQL', advice: UNREACHABLE, run: () => ask(checkVersion) },
    { name: 'PostgreSQL encoding', advice: UNREACHABLE, run: () => ask(checkEncoding) },
    { name: 'PostgreSQL clock', advice: UNREACHABLE, run: () => ask(checkClock) },
    { name: 'PostgreSQL tables', advice: UNREACHABLE, run: () => ask(checkTables) },
    { name: 'last backup', advice: UNREACHABLE, run: () => ask(checkBackup) },
    { name: 'PostgreSQL background migrations', advice: UNREACHABLE, run: () => ask(checkBackground) },
    { name: 'PostgreSQL compiler', advice: UNREACHABLE, run: () => askAt({ url, pooled }, checkCompiler) },
    ...(pooled ? [pooler] : []),
    ...(replicaUrl === undefined ? [] : [replicaCheck({ url: replicaUrl, pooled })]),
    ...(hostUrls(url).length > 1
      ? [{ name: 'PostgreSQL fail-over', advice: UNREACHABLE, run: () => ask(checkReplication) }]
      : []),
  ];
}

/** Reports an installation without a recent backup by `trapline backup`. */
async function checkBackup(database: Database): Promise<Finding> {
  if ((await pendingMigrations(database)).length > 0) return fine('not checked: the database is not migrated');
  return judgeBackup(await lastTimeOf(database, 'backup.create'), new Date());
}

interface Address {
  readonly url: string;
  readonly pooled: boolean;
}

async function askAt<T>(address: Address, question: (database: Database) => Promise<T>): Promise<T> {
  const database = createDatabase({ ...address, connections: 1, statementTimeoutMs: 5_000 });
  try {
    return await question(database);
  } finally {
    await database.destroy();
  }
}

function replicaCheck(address: Address): Check {
  return {
    name: 'PostgreSQL replica',
    advice: 'check DATABASE_REPLICA_URL; until then, lists are read from the primary',
    run: () => askAt(address, checkReplica),
  };
}

/** Starts a separate engine in a temporary directory, with the programs that the data directory needs. */
async function tryEngine(config: Config) {
  const dataDir = await mkdtemp(join(tmpdir(), 'trapline-doctor-'));
  try {
    const account = await clusterAccount(dataDir);
    const madeBy = await clusterMajor(resolve(config.dataDir, 'postgres'));
    const configured = config.postgres.programs;
    const programs = await findPrograms({ configured, madeBy, copiesFor: dataDir, account });
    await programs.release();
    const { folder, version, source } = programs;
    await (await startPostgresEngine({ dataDir, programs: folder })).stop();
    const found = `PostgreSQL ${version} of ${folder} starts`;
    return source === 'bundled' ? look(found, BUNDLED_ADVICE) : fine(found);
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

/**
 * Checks the encoding. With another encoding than UTF8, the database counts bytes as characters, or rejects some
 * characters.
 */
async function checkEncoding(database: Database) {
  const { rows } = await sql<{ encoding: string }>`
    SELECT pg_encoding_to_char(encoding) AS encoding FROM pg_database WHERE datname = current_database()`.execute(
    database,
  );
  const found = rows[0]?.encoding ?? '';
  return found === 'UTF8'
    ? fine(found)
    : wrong(
        `${found}: text beyond ASCII is refused or cut`,
        "create a database with `CREATE DATABASE trapline ENCODING 'UTF8' TEMPLATE template0` and set DATABASE_URL to it",
      );
}

async function checkClock(database: Database) {
  const before = Date.now();
  const { rows } = await sql<{ ms: number }>`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`.execute(
    database,
  );
  const skew = (Number(rows[0]?.ms) - (before + Date.now()) / 2) / 1000;
  const found = `${skew.toFixed(1)} s apart`;
  return Math.abs(skew) <= MAX_SKEW_SECONDS
    ? fine(found)
    : look(found, 'sessions and codes will end too early or too late: let both machines keep time by NTP');
}

/** Checks that lists can be read from the replica. */
async function checkReplica(database: Database) {
  const { rows } = await sql<{ standby: boolean; seconds: number }>`
    SELECT pg_is_in_recovery() AS standby, CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
      ELSE coalesce(extract(epoch FROM now() - pg_last_xact_replay_timestamp()), 0) END::float8 AS seconds`.execute(
    database,
  );
  const [{ standby, seconds } = { standby: false, seconds: 0 }] = rows;
  if (!standby)
    return look('the server is not a standby: lists are read from the primary', 'check DATABASE_REPLICA_URL');
  const found = `${seconds.toFixed(1)} s behind what it has received`;
  return seconds * 1_000 <= MAX_AGE_MS
    ? fine(found)
    : look(found, 'lists are read from the primary until it is less than 5 s behind: check its load');
}

/** Reports the progress of background migrations, which workers run while processes are running. */
async function checkBackground(database: Database) {
  if ((await pendingMigrations(database)).length > 0) return look('unknown', 'run `trapline migrate`');
  return judgeBackground(
    BACKGROUND_MIGRATIONS.map(({ name }) => name),
    await listBackgroundStates(database),
  );
}

/**
 * Checks that JIT is off. Trapline turns it off in its sessions (impossible behind a pooler) and in functions with
 * expensive plans.
 */
async function checkCompiler(database: Database) {
  const { rows } = await sql<CompilerState>`
    SELECT pg_jit_available() AS compiles, current_user AS role, ARRAY(
      SELECT oid::regprocedure::text FROM pg_proc
      WHERE pronamespace = current_schema()::regnamespace AND proconfig && '{enable_nestloop=off,enable_hashjoin=off,enable_mergejoin=off,enable_seqscan=off}'
        AND NOT 'jit=off' = ANY (proconfig)
      ORDER BY oid) AS functions`.execute(database);
  return judgeCompiler(rows[0] ?? { compiles: false, role: '', functions: [] });
}

/** Checks the statement timeout. Behind a pooler, Trapline cannot set it for its sessions. */
async function checkTimeout(database: Database) {
  const { rows } = await sql<{ ms: string; role: string }>`
    SELECT current_setting('statement_timeout') AS ms, current_user AS role`.execute(database);
  const [{ ms, role } = { ms: '0', role: '' }] = rows;
  return ms === '0'
    ? look(
        'statements have no time limit: those that Trapline has given up go on',
        `ALTER ROLE "${role}" SET statement_timeout = '15s', then RECONNECT at the pooler`,
      )
    : fine(`answers; statements end after ${ms}`);
}

/** Checks that committed data survive the loss of the primary. */
async function checkReplication(database: Database) {
  const { rows } = await sql<{ names: string; confirms: string; standbys: number }>`
    SELECT current_setting('synchronous_standby_names') AS names, current_setting('synchronous_commit') AS confirms,
      (SELECT count(*) FROM pg_stat_replication) AS standbys`.execute(database);
  const [{ names, confirms, standbys } = { names: '', confirms: '', standbys: 0 }] = rows;
  const found = `${standbys} connected, synchronous_commit is ${confirms}`;
  return names === '' || confirms === 'off' || confirms === 'local'
    ? look(
        `${found}, synchronous_standby_names is "${names}": the last confirmed changes can be lost with the primary`,
        "set synchronous_standby_names, such as 'ANY 1 (*)', and synchronous_commit = on",
      )
    : fine(found);
}

async function checkTables(database: Database) {
  const newer = await unknownMigrations(database);
  const incompatible = incompatibleMigrations(newer);
  if (incompatible.length > 0) return wrong(new DatabaseTooNew(incompatible).message, '');
  const pending = await pendingMigrations(database);
  return pending.length === 0
    ? fine(newer.length === 0 ? 'up to date' : `up to date, and ${newer.length} migrations of a newer version`)
    : wrong(`${pending.length} migrations are pending`, 'run `trapline migrate`');
}
