import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { quoted } from '#analytics/clickhouse/table.ts';
import { CommandError } from '../cli/command-error.ts';
import type { Answers } from './manifest.ts';
import type { TableGroup } from './order.ts';
import { ask, questionsOf } from './questions.ts';

/** Returns where the server writes a group of tables, as in BACKUP … TO, for example `File('name')`. */
export type DestinationOf = (group: string) => string;

/** Stores each file of a part separately, so that a part can be read without the others. */
const SETTINGS = 'deduplicate_files = 0';
const POLL_MS = 200;
const STATES = 'system.backups';

/** Backs up the tables and views of a group. Resolves when the server has finished. */
export async function backUpGroup(
  clickhouse: ClickHouse,
  { tables, views, name }: TableGroup,
  destinationOf: DestinationOf,
  progress: (bytes: number) => void,
): Promise<void> {
  const items = [...tables, ...views].map((table) => `TABLE ${clickhouse.table(table)}`).join(', ');
  await finish(clickhouse, `BACKUP ${items} TO ${destinationOf(name)}`, progress);
}

/** Runs the check queries of a group's tables against the backup itself, without restoring it. */
export async function askBackup(
  clickhouse: ClickHouse,
  group: TableGroup,
  destinationOf: DestinationOf,
): Promise<Answers> {
  const database = `${openedPrefix(clickhouse.database)}${randomUUID().slice(0, 8)}`;
  const source = clickhouse.database.replaceAll(/[\\']/g, '\\$&');
  await clickhouse.command(
    'open the backup',
    `CREATE DATABASE ${quoted(database)} ENGINE = Backup('${source}', ${destinationOf(group.name)})`,
  );
  try {
    return await ask(clickhouse, database, questionsOf(group));
  } finally {
    await clickhouse.command('close the backup', `DROP DATABASE ${quoted(database)}`);
  }
}

/** Closes backups of the database that a killed process had opened. */
export async function closeBackups(clickhouse: ClickHouse): Promise<void> {
  const databases = await clickhouse.rows<{ name: string }>(
    'list opened backups',
    "SELECT name FROM system.databases WHERE engine = 'Backup' AND startsWith(name, {prefix:String})",
    { params: { prefix: openedPrefix(clickhouse.database) } },
  );
  for (const { name } of databases)
    await clickhouse.command('close a backup', `DROP DATABASE IF EXISTS ${quoted(name)}`);
}

function openedPrefix(database: string): string {
  return `${database}_backup_`;
}

/** Returns the name of the database that a restore fills before it replaces the tables. */
export function stagingOf(database: string): string {
  return `${database}_restoring`;
}

/**
 * Restores the tables of a group from the backup of database `from` into the staging database. Merges are stopped, so
 * that rows can be counted.
 */
export async function restoreGroup(
  clickhouse: ClickHouse,
  { tables, name }: TableGroup,
  {
    from,
    destinationOf,
    progress,
  }: { readonly from: string; readonly destinationOf: DestinationOf; readonly progress: (bytes: number) => void },
): Promise<void> {
  const staging = stagingOf(clickhouse.database);
  const items = tables
    .map((table) => `TABLE ${quoted(from)}.${quoted(table)} AS ${quoted(staging)}.${quoted(table)}`)
    .join(', ');
  await finish(clickhouse, `RESTORE ${items} FROM ${destinationOf(name)}`, progress, 'structure_only = 1');
  for (const table of tables)
    await clickhouse.command('stop merges', `SYSTEM STOP MERGES ${quoted(staging)}.${quoted(table)}`);
  await finish(clickhouse, `RESTORE ${items} FROM ${destinationOf(name)}`, progress, 'create_table = 0');
}

/**
 * Restores the rows of tables from the backup of database `from` into empty tables with the same columns. The tables
 * may have another engine.
 */
export async function restoreRows(
  clickhouse: ClickHouse,
  { tables, name }: Pick<TableGroup, 'tables' | 'name'>,
  { from, destinationOf }: { readonly from: string; readonly destinationOf: DestinationOf },
): Promise<void> {
  const items = tables
    .map((table) => `TABLE ${quoted(from)}.${quoted(table)} AS ${clickhouse.table(table)}`)
    .join(', ');
  const setting = 'create_table = 0, allow_different_table_def = 1';
  await finish(clickhouse, `RESTORE ${items} FROM ${destinationOf(name)}`, () => {}, setting);
}

/**
 * Verifies the data of restored tables with the checksums of their parts, which RESTORE does not do. Returns one line
 * for each damaged part. `database` defaults to the staging database.
 */
export async function damagedParts(
  clickhouse: ClickHouse,
  { tables }: Pick<TableGroup, 'tables'>,
  database = stagingOf(clickhouse.database),
): Promise<string[]> {
  const damaged: string[] = [];
  for (const table of tables) {
    const parts = await clickhouse.rows<{ part_path: string; is_passed: boolean | number; message: string }>(
      `check ${table}`,
      `CHECK TABLE ${quoted(database)}.${quoted(table)}`,
      { settings: { check_query_single_value_result: 0 } },
    );
    for (const part of parts)
      if (!part.is_passed) damaged.push(`${table} ${part.part_path}: ${part.message.slice(0, 120)}`);
  }
  return damaged;
}

export async function makeStaging(clickhouse: ClickHouse): Promise<void> {
  await dropStaging(clickhouse); // Left by an interrupted restore.
  await clickhouse.command('create the database', `CREATE DATABASE ${quoted(stagingOf(clickhouse.database))}`);
}

export async function dropStaging(clickhouse: ClickHouse): Promise<void> {
  await clickhouse.command(
    'drop the database',
    `DROP DATABASE IF EXISTS ${quoted(stagingOf(clickhouse.database))} SYNC`,
    UNBOUNDED,
  );
}

/** Replaces the present tables of the database by the restored ones, and restores the views. */
export async function putInPlace(
  clickhouse: ClickHouse,
  groups: readonly TableGroup[],
  { from, destinationOf }: { readonly from: string; readonly destinationOf: DestinationOf },
): Promise<void> {
  const { database } = clickhouse;
  const db = quoted(database);
  const staging = quoted(stagingOf(database));
  await clickhouse.command('drop the database', `DROP DATABASE IF EXISTS ${db} SYNC`, UNBOUNDED);
  await clickhouse.command('create the database', `CREATE DATABASE ${db}`);
  const tables = groups.flatMap((group) => group.tables);
  const moves = tables.map((table) => `${staging}.${quoted(table)} TO ${db}.${quoted(table)}`);
  await clickhouse.command('move the tables', `RENAME TABLE ${moves.join(', ')}`);
  for (const { views, name } of groups) {
    if (views.length === 0) continue;
    const items = views.map((view) => `TABLE ${quoted(from)}.${quoted(view)} AS ${db}.${quoted(view)}`).join(', ');
    await finish(clickhouse, `RESTORE ${items} FROM ${destinationOf(name)}`, () => {}, 'allow_different_table_def = 1');
  }
  for (const table of tables) await clickhouse.command('start merges', `SYSTEM START MERGES ${db}.${quoted(table)}`);
  await dropStaging(clickhouse);
}

/** Returns the names of the tables and views of the database. */
export async function tablesIn(clickhouse: ClickHouse): Promise<string[]> {
  const rows = await clickhouse.rows<{ name: string }>(
    'list its tables',
    'SELECT name FROM system.tables WHERE database = {database:String} ORDER BY name',
    { params: { database: clickhouse.database } },
  );
  return rows.map(({ name }) => name);
}

/** Returns the number of rows and bytes of the database, as the server counts them. */
export async function sizeOf(clickhouse: ClickHouse): Promise<{ readonly rows: number; readonly bytes: number }> {
  const [size] = await clickhouse.rows<{ rows: string; bytes: string }>(
    'measure the tables',
    `SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE database = {database:String} AND active AND table NOT IN ('migrations', 'api_requests')`,
    { params: { database: clickhouse.database } },
  );
  return { rows: Number(size?.rows ?? 0), bytes: Number(size?.bytes ?? 0) };
}

/** Allows a statement to drop tables of any size. */
export const UNBOUNDED = { settings: { max_table_size_to_drop: '0', max_partition_size_to_drop: '0' } };

/** Runs a BACKUP or RESTORE asynchronously, without an open request, and polls until it ends. */
async function finish(
  clickhouse: ClickHouse,
  statement: string,
  progress: (bytes: number) => void,
  setting = SETTINGS,
): Promise<void> {
  const id = randomUUID();
  await clickhouse.command('start the backup', `${statement} SETTINGS ${setting}, id = '${id}' ASYNC`);
  for (;;) {
    const [state] = await clickhouse.rows<{ status: string; error: string; bytes: string }>(
      'check the backup',
      `SELECT toString(status) AS status, error, greatest(bytes_read, compressed_size) AS bytes FROM ${STATES} WHERE id = {id:String}`,
      { params: { id } },
    );
    if (state === undefined) throw new CommandError('ClickHouse was restarted in the meantime: run the command again');
    progress(Number(state.bytes));
    if (state.status === 'BACKUP_CREATED' || state.status === 'RESTORED') return;
    if (!/^(?:CREATING_BACKUP|RESTORING)$/.test(state.status))
      throw new CommandError(`ClickHouse: ${withoutStack(state.error) || state.status}`);
    await delay(POLL_MS);
  }
}

function withoutStack(error: string): string {
  return error.replace(/,? Stack trace[\s\S]*/, '').trim();
}
