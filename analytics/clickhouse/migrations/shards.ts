import { createHash } from 'node:crypto';
import type { ClickHouse, Shards } from '../client.ts';
import { nameAcrossShards, SPREAD_TABLES, SPREAD_VIEW } from '../tables/across-shards.ts';
import { laneShardsTable } from '../tables/lane-shards.ts';
import { type Migration, onReplicas, statementsOf } from './migration.ts';
import { retryStep } from './retry-step.ts';

/**
 * Creates what a cluster has in addition to the tables of the migrations: the table of lane shards and, with several
 * shards, the Distributed tables and the view that read all of them. These contain no rows, so they are replaced when
 * their definition changes.
 */
export async function createAcrossShards(
  clickhouse: ClickHouse,
  shards: Shards,
  migrations: readonly Migration[],
): Promise<void> {
  const local = shards.home.clickhouse;
  const name = local.table(laneShardsTable.name);
  await retryStep(() =>
    local.command(
      `create the table ${laneShardsTable.name}`,
      onReplicas(`CREATE TABLE IF NOT EXISTS ${name}
(
  topic LowCardinality(String),
  partition UInt64,
  shard String,
  assigned DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = MergeTree
ORDER BY (topic, partition)`),
    ),
  );
  if (shards.all.length < 2) return;
  for (const table of SPREAD_TABLES)
    await replace(local, nameAcrossShards(table), await columnsOf(local, table), distributedTable(clickhouse, table));
  await replace(local, nameAcrossShards(SPREAD_VIEW), '', viewAcrossShards(clickhouse.database, migrations));
}

function distributedTable({ database, shards, replicas }: ClickHouse, table: string): string {
  const local = shards?.home.clickhouse;
  const [cluster, ofDatabase, ofTable] = [replicas?.cluster ?? '', database, table].map(
    (text) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`,
  );
  return `CREATE OR REPLACE TABLE ${local?.table(nameAcrossShards(table))} AS ${local?.table(table)}
ENGINE = Distributed(${cluster}, ${ofDatabase}, ${ofTable})`;
}

/**
 * Returns the latest definition of the dead-letter view, over the records of all shards. Redrives are in the home
 * shard: they are read once and sent to the shards (`GLOBAL`). Throws if the migrations no longer define the view in
 * this form.
 */
export function viewAcrossShards(database: string, migrations: readonly Migration[]): string {
  const begin = new RegExp(`^CREATE OR REPLACE VIEW (\\S+)\\.${SPREAD_VIEW} AS`);
  const definition = migrations
    .flatMap((migration) => statementsOf(migration, database))
    .findLast(({ sql }) => begin.test(sql))?.sql;
  const across = definition
    ?.replace(begin, `CREATE OR REPLACE VIEW $1.${nameAcrossShards(SPREAD_VIEW)} AS`)
    .replace(/\.dead_letter_records AS/, `.${nameAcrossShards('dead_letter_records')} AS`)
    .replace(/^LEFT JOIN/m, 'GLOBAL LEFT JOIN');
  if (across === undefined || !across.includes('GLOBAL LEFT JOIN') || !across.includes('.dead_letter_records_all AS'))
    throw new Error(`the migrations do not define the view ${SPREAD_VIEW} as expected`);
  return across;
}

/**
 * Runs the statement unless the same one created the table or view from the same columns. Its comment contains the hash
 * of both.
 */
async function replace(clickhouse: ClickHouse, name: string, columns: string, statement: string): Promise<void> {
  const hash = createHash('sha256').update(`${statement}\n${columns}`).digest('hex');
  const [found] = await clickhouse.rows<{ comment: string }>(
    'read the definition of a table across shards',
    'SELECT comment FROM system.tables WHERE database = {database:String} AND name = {name:String}',
    { params: { database: clickhouse.database, name } },
  );
  if (found?.comment === hash) return;
  await retryStep(() => clickhouse.command(`create ${name}`, `${statement}\nCOMMENT '${hash}'`));
}

async function columnsOf(clickhouse: ClickHouse, table: string): Promise<string> {
  const rows = await clickhouse.rows(
    'read the columns of a table',
    `SELECT name, type, default_kind, default_expression FROM system.columns
     WHERE database = {database:String} AND table = {table:String} ORDER BY position`,
    { params: { database: clickhouse.database, table } },
  );
  return JSON.stringify(rows);
}
