import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { migrateTo } from '#analytics/clickhouse/migrations/migrate.ts';
import { quoted } from '#analytics/clickhouse/table.ts';
import { CommandError, usageError } from '../cli/command-error.ts';
import type { Progress } from './back-up.ts';
import {
  type DestinationOf,
  damagedParts,
  dropStaging,
  makeStaging,
  restoreGroup,
  restoreRows,
  stagingOf,
  UNBOUNDED,
} from './clickhouse-copy.ts';
import type { Answers, Manifest } from './manifest.ts';
import type { TableGroup } from './order.ts';
import { answerDifferences, ask, brief, namedForShard, questionsOf } from './questions.ts';
import { type BackupShard, catchUp, destinationIn, onAll } from './shards.ts';

/** The table of migrations, which a restore runs again. */
const NOT_RESTORED = 'migrations';

export interface ClusterRestore {
  /** Connection to the whole cluster. */
  readonly clickhouse: ClickHouse;
  readonly shards: readonly BackupShard[];
  readonly manifest: Manifest['clickhouse'];
  readonly destinationOf: DestinationOf;
  readonly progress: Progress;
  readonly verified: (line: string) => void;
}

interface Source {
  readonly shard: BackupShard;
  /** Name of the shard in the backup; undefined if the backup is of one server. */
  readonly name: string | undefined;
  readonly destinationOf: DestinationOf;
}

/** Restores a backup into a temporary database and verifies it, before existing data are deleted. */
export async function tryRestore(restoring: ClusterRestore): Promise<void> {
  const { shards, manifest } = restoring;
  try {
    await onAll(sourcesOf(restoring), async ({ shard: { clickhouse }, name, destinationOf }) => {
      await makeStaging(clickhouse);
      for (const group of manifest.groups) {
        await restoreGroup(clickhouse, group, { from: manifest.database, destinationOf, progress: () => {} });
        await requireUndamaged(clickhouse, group, stagingOf(clickhouse.database));
        const found = await ask(clickhouse, stagingOf(clickhouse.database), questionsOf(group));
        requireSame(manifest.answers, namedForShard(found, name));
      }
    });
  } finally {
    await onAll(shards, ({ clickhouse }) => dropStaging(clickhouse));
  }
}

/**
 * Recreates the database on all servers, restores the ClickHouse part of a backup into its replicated tables, and
 * compares every replica with the backup. The backup has the same shards, or is of one server. In the latter case, its
 * rows go to the home shard, and their lanes stay there.
 */
export async function restoreCluster(restoring: ClusterRestore): Promise<void> {
  const { clickhouse, shards, manifest, progress } = restoring;
  const sources = sourcesOf(restoring);
  const servers = shards.flatMap((shard) => shard.servers);
  const groups = manifest.groups.map(({ name, tables }) => ({
    name,
    tables: tables.filter((table) => table !== NOT_RESTORED),
  }));
  const tables = groups.flatMap((group) => group.tables);
  await dropDatabases(servers);
  try {
    await migrateTo(clickhouse, manifest.migrations);
    // Merges combine rows with the same key. Without merges, the rows can be counted.
    await onEach(servers, tables, 'stop merges', (table) => `SYSTEM STOP MERGES ${table}`);
    let done = 0;
    await onAll(sources, async (source) => {
      const server = source.shard.clickhouse;
      for (const group of groups) {
        await restoreRows(server, group, { from: manifest.database, destinationOf: source.destinationOf });
        await requireUndamaged(server, group, server.database);
        await compareReplicas(source, group, restoring);
        progress.step('ClickHouse', ++done / (groups.length * sources.length));
      }
    });
    await onEach(servers, tables, 'start merges', (table) => `SYSTEM START MERGES ${table}`);
  } catch (error) {
    await dropDatabases(servers);
    throw error;
  }
}

/** Drops the database on each server, because dropping a database of engine Replicated affects only one server. */
async function dropDatabases(servers: readonly ClickHouse[]): Promise<void> {
  await onAll(servers, (server) =>
    server.command('drop the database', `DROP DATABASE IF EXISTS ${quoted(server.database)} SYNC`, UNBOUNDED),
  );
}

async function requireUndamaged(
  server: ClickHouse,
  group: Pick<TableGroup, 'tables'>,
  database: string,
): Promise<void> {
  const damaged = await damagedParts(server, group, database);
  if (damaged.length > 0) throw new CommandError(`the backup is damaged: ${damaged.slice(0, 3).join('; ')}`);
}

async function compareReplicas(
  { shard, name }: Source,
  group: Pick<TableGroup, 'tables'>,
  { manifest, verified }: ClusterRestore,
): Promise<void> {
  let answers: Answers = {};
  for (const server of shard.servers) {
    await catchUp(server, shard.name, group.tables);
    answers = namedForShard(await ask(server, server.database, questionsOf(group)), name);
    requireSame(manifest.answers, answers);
  }
  const count = shard.servers.length;
  for (const [question, rows] of Object.entries(answers))
    verified(
      `ClickHouse: ${question}: ${brief(rows)}, as in the backup, on ${count} ${count === 1 ? 'replica' : 'replicas'} of shard ${shard.name}`,
    );
}

function sourcesOf({ shards, manifest, destinationOf }: ClusterRestore): Source[] {
  const [home] = shards;
  if (home === undefined) throw new TypeError('a cluster has at least one shard');
  if (manifest.shards === undefined) return [{ shard: home, name: undefined, destinationOf }];
  const expected = manifest.shards.join(', ');
  const found = shards.map(({ name }) => name).join(', ');
  if (expected !== found)
    throw usageError(
      `the backup is of the shards ${expected}, and CLICKHOUSE_URL lists ${found}: list the same shards in the same order`,
    );
  return shards.map((shard) => ({ shard, name: shard.name, destinationOf: destinationIn(shard.name, destinationOf) }));
}

/** Rejects unless all servers respond. An absent replica would keep its tables, and their rows would return with it. */
export async function requireAllServers(shards: readonly BackupShard[]): Promise<void> {
  const servers = shards.flatMap((shard) => shard.servers);
  const answers = await Promise.allSettled(servers.map((server) => server.rows('connect', 'SELECT 1')));
  const failed = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
  if (failed[0] !== undefined)
    throw new CommandError(
      `a restore needs every server that CLICKHOUSE_URL lists, and ${failed.length} of ${servers.length} do not answer: ${failed[0].message}`,
    );
}

function requireSame(expected: Answers, found: Answers): void {
  const questions = Object.fromEntries(Object.keys(found).map((question) => [question, expected[question] ?? []]));
  const differences = answerDifferences(questions, found);
  if (differences.length > 0)
    throw new CommandError(
      `the restored ClickHouse data differ from the backup: ${differences.slice(0, 3).join('; ')}`,
    );
}

async function onEach(
  servers: readonly ClickHouse[],
  tables: readonly string[],
  operation: string,
  statementOf: (table: string) => string,
): Promise<void> {
  await onAll(servers, async (server) => {
    for (const table of tables) await server.command(operation, statementOf(server.table(table)));
  });
}
