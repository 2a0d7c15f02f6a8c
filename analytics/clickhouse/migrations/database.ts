import type { ClickHouse, Replicas, Shard } from '../client.ts';
import { isTemporary } from '../failure.ts';
import { quoted } from '../table.ts';
import { retryStep } from './retry-step.ts';

/** Thrown if the tables are replicated and no cluster is configured, or the reverse. */
export class OtherEngine extends Error {
  override readonly name = 'OtherEngine';
}

/**
 * Creates the database if it does not exist. On a cluster, its engine is Replicated, so replicas get its tables
 * automatically.
 */
export async function createDatabase(clickhouse: ClickHouse): Promise<void> {
  const db = quoted(clickhouse.database);
  const { replicas, shards } = clickhouse;
  if (replicas === undefined)
    return retryStep(() => clickhouse.command('create the database', `CREATE DATABASE IF NOT EXISTS ${db}`));
  await retryStep(() => createOnEach(clickhouse, replicas));
  const [, ...others] = shards?.all ?? [];
  for (const shard of others) await createOnShard(shard);
}

/**
 * Creates the database on a shard. An unavailable shard gets it at a later start. Until then, no lane is assigned to
 * that shard.
 */
async function createOnShard({ clickhouse }: Shard): Promise<void> {
  try {
    if (clickhouse.replicas !== undefined) await createOnEach(clickhouse, clickhouse.replicas);
  } catch (error) {
    if (!isTemporary(error)) throw error;
  }
}

/**
 * Creates the database on each replica. An unavailable replica gets it at a later start. One replica is enough to
 * continue.
 */
async function createOnEach({ database }: ClickHouse, replicas: Replicas): Promise<void> {
  const name = database.replaceAll(/[\\']/g, '\\$&');
  const statement = `CREATE DATABASE IF NOT EXISTS ${quoted(database)} ENGINE = Replicated('/clickhouse/databases/${name}', '{shard}', '{replica}')`;
  const outcomes = await Promise.allSettled(
    replicas.all.map(({ clickhouse }) => clickhouse.command('create the database', statement)),
  );
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  const permanent = failures.find((failure) => !isTemporary(failure));
  if (permanent !== undefined) throw permanent;
  if (failures.length === outcomes.length) throw failures[0];
}

/** Rejects with `OtherEngine` if the engine of the tables does not match the configuration. */
export async function requireEngine(clickhouse: ClickHouse): Promise<void> {
  const { database, replicas } = clickhouse;
  const [table] = await clickhouse.rows<{ engine: string }>(
    'read the engine of the tables',
    `SELECT engine FROM system.tables WHERE database = {database:String} AND name = 'migrations'`,
    { params: { database } },
  );
  if (table === undefined) return;
  const isReplicated = table.engine.startsWith('Replicated');
  if (isReplicated && replicas === undefined)
    throw new OtherEngine(
      `the tables in the ClickHouse database ${database} are replicated: set CLICKHOUSE_CLUSTER and list its replicas in CLICKHOUSE_URL`,
    );
  if (!isReplicated && replicas !== undefined)
    throw new OtherEngine(
      `the tables in the ClickHouse database ${database} are those of one server: set CLICKHOUSE_DATABASE to another name and copy the data, see docs/operations/clickhouse-cluster.md`,
    );
}
