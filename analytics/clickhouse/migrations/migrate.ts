import { incompatibleMigrations } from '#schemas/migration-name.ts';
import type { ClickHouse } from '../client.ts';
import { type ChainedTable, quoted, type Table } from '../table.ts';
import { apiRequestsTable } from '../tables/api-requests.ts';
import { deadLetterRecordsTable } from '../tables/dead-letter-records.ts';
import { deadLetterRedrivesTable } from '../tables/dead-letter-redrives.ts';
import { detectionRecordsTable } from '../tables/detection-records.ts';
import { eventsTable } from '../tables/events.ts';
import { trackerSnapshotsTable } from '../tables/tracker-snapshots.ts';
import { createDatabase, requireEngine } from './database.ts';
import { type Migration, onReplicas, readMigrations, runMigration } from './migration.ts';
import { retryStep } from './retry-step.ts';
import { createAcrossShards } from './shards.ts';

/** The SQL files of this folder, in order and without gaps. */
export const MIGRATIONS: readonly Migration[] = readMigrations();

export interface Retention {
  /** Days that events and tracker snapshots are kept after receipt. */
  readonly events: number;
  readonly deadLetters: number;
  readonly detections: number;
  /** Days that records of API requests are kept. */
  readonly apiLog: number;
}

export const DEFAULT_RETENTION: Retention = { events: 90, deadLetters: 90, detections: 730, apiLog: 30 };

/** Thrown if a newer version has run migrations with which this version does not work. */
export class ClickHouseTooNew extends Error {
  override readonly name = 'ClickHouseTooNew';

  constructor(database: string, incompatible: readonly string[]) {
    const some = `${incompatible.slice(0, 3).join(', ')}${incompatible.length > 3 ? ` and ${incompatible.length - 3} more` : ''}`;
    super(
      `the ClickHouse database ${database} was migrated by a newer Trapline (incompatible migrations: ${some}): ` +
        'start that version, or restore a backup from before it',
    );
  }
}

/**
 * Migrates the database to the current state: creates it if it does not exist, runs the missing steps, and updates a
 * changed retention. Any number of processes may do so concurrently without a lock. Each step is idempotent and is
 * recorded only after it has finished, so at worst two processes run the same step. If concurrent statements make the
 * server fail, the step is retried. Rejects with `ClickHouseTooNew` if a newer version has run migrations that do more
 * than add to the tables. Rejects with `OtherEngine` if the tables are those of one server and a cluster is configured,
 * or the reverse. In both cases, no table is changed.
 */
export async function migrate(
  clickhouse: ClickHouse,
  retention: Retention = DEFAULT_RETENTION,
  /** Called after each executed migration. */
  onStep: (done: number, total: number) => void = () => {},
): Promise<number[]> {
  const ran = await runPending(clickhouse, MIGRATIONS, onStep);
  if (clickhouse.shards !== undefined) await createAcrossShards(clickhouse, clickhouse.shards, MIGRATIONS);
  await applyRetention(clickhouse, retention);
  return ran;
}

/** Creates the tables of an earlier version, which had only the migrations with these numbers. */
export async function migrateTo(clickhouse: ClickHouse, numbers: readonly number[]): Promise<void> {
  const migrations = MIGRATIONS.filter(({ number }) => numbers.includes(number));
  await runPending(clickhouse, migrations, () => {});
  if (clickhouse.shards !== undefined) await createAcrossShards(clickhouse, clickhouse.shards, migrations);
}

async function runPending(
  clickhouse: ClickHouse,
  migrations: readonly Migration[],
  onStep: (done: number, total: number) => void,
): Promise<number[]> {
  const db = quoted(clickhouse.database);
  await createDatabase(clickhouse);
  const table = `CREATE TABLE IF NOT EXISTS ${db}.migrations (number UInt64, name String, finished DateTime64(3, 'UTC') DEFAULT now64(3))
       ENGINE = ReplacingMergeTree ORDER BY number`;
  await retryStep(() =>
    clickhouse.command('create the table migrations', clickhouse.replicas === undefined ? table : onReplicas(table)),
  );
  await requireEngine(clickhouse);
  await clickhouse.replicas?.catchUp('migrations');
  const finished = await finishedMigrations(clickhouse);

  const ran: number[] = [];
  const pending = migrations.filter(({ number }) => !finished.has(number));
  for (const migration of pending) {
    await retryStep(() => runMigration(clickhouse, migration));
    await clickhouse.command(
      'record a migration',
      `INSERT INTO ${db}.migrations (number, name) VALUES ({number:UInt64}, {name:String})`,
      {
        params: { number: migration.number, name: migration.name },
      },
    );
    ran.push(migration.number);
    onStep(ran.length, pending.length);
  }
  return ran;
}

/**
 * Returns the numbers of the finished migrations. Rejects with `ClickHouseTooNew` if this version does not work with
 * one of them. Changes nothing. The table of migrations must exist.
 */
export async function finishedMigrations(clickhouse: ClickHouse): Promise<ReadonlySet<number>> {
  const rows = await clickhouse.rows<{ number: string; name: string }>(
    'read migrations',
    `SELECT number, any(name) AS name FROM ${clickhouse.table('migrations')} GROUP BY number ORDER BY number`,
  );
  const known = new Set(MIGRATIONS.map(({ number }) => number));
  const newer = rows.filter(({ number }) => !known.has(Number(number))).map(({ number, name }) => `${number} ${name}`);
  const incompatible = incompatibleMigrations(newer);
  if (incompatible.length > 0) throw new ClickHouseTooNew(clickhouse.database, incompatible);
  return new Set(rows.map(({ number }) => Number(number)));
}

async function applyRetention(clickhouse: ClickHouse, retention: Retention): Promise<void> {
  await retain(clickhouse, eventsTable, retention.events);
  await retain(clickhouse, trackerSnapshotsTable, retention.events);
  await retain(clickhouse, deadLetterRecordsTable, retention.deadLetters);
  await retain(clickhouse, deadLetterRedrivesTable, retention.deadLetters);
  await retain(clickhouse, detectionRecordsTable, retention.detections);
  await retain(clickhouse, apiRequestsTable, retention.apiLog);
}

/** Sets the retention if it differs. An unnecessary ALTER would rewrite the table's metadata and its parts. */
async function retain<Row>(clickhouse: ClickHouse, table: Table<Row> | ChainedTable<Row>, days: number): Promise<void> {
  if (table.ttl === undefined) return;
  const [found] = await clickhouse.rows<{ same: boolean }>(
    'read the retention',
    `SELECT position(create_table_query, {ttl:String}) > 0 AS same FROM system.tables WHERE database = {database:String} AND name = {table:String}`,
    { params: { ttl: `toIntervalDay(${days + 1})`, database: clickhouse.database, table: table.name } },
  );
  if (found?.same) return;
  const name = `${quoted(clickhouse.database)}.${quoted(table.name)}`;
  await retryStep(() =>
    clickhouse.command('set the retention', `ALTER TABLE ${name} MODIFY TTL ${table.ttl?.(days)}`, {
      // New rows and later merges use the new retention immediately. Rewriting all old parts now would cause load
      // without benefit.
      settings: { materialize_ttl_after_modify: 0 },
    }),
  );
}
