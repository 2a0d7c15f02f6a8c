import { countLanes } from '#analytics/clickhouse/choose-shard.ts';
import type { ClickHouse, Replicas } from '#analytics/clickhouse/client.ts';
import { addressProblems, inspectAddresses, replicaGroups } from '#analytics/clickhouse/replica-check.ts';
import { quoted } from '#analytics/clickhouse/table.ts';
import { laneShardsTable } from '#analytics/clickhouse/tables/lane-shards.ts';
import { type Check, type Finding, fine, look, wrong } from './check.ts';

/** With fewer stored deduplication tokens, or a shorter retention, a repeated insert could store a block twice. */
const MIN_TOKENS = 1_000;
const MIN_TOKEN_SECONDS = 600;
/**
 * An entry of the replication queue that is older, or was retried more often, will not finish soon without
 * intervention.
 */
const MAX_QUEUE_SECONDS = 600;
const MAX_QUEUE_TRIES = 100;

/** An older mutation will not finish soon without intervention. */
const MAX_MUTATION_SECONDS = 600;

/** Checks the shards and replicas of a cluster. `ask` connects to the configured cluster. */
export function clusterChecks(
  ask: <T>(question: (clickhouse: ClickHouse, replicas: Replicas) => Promise<T>) => Promise<T>,
  advice: string,
): Check[] {
  return [
    { name: 'ClickHouse replicas', advice, run: () => ask(checkAddresses) },
    { name: 'ClickHouse shards', advice, run: () => ask(checkShards) },
    { name: 'ClickHouse grants', advice, run: () => ask(checkGrants) },
    { name: 'ClickHouse deduplication', advice, run: () => ask(checkTokens) },
    { name: 'ClickHouse quorum', advice, run: () => ask(checkQuorum) },
    { name: 'ClickHouse replication queue', advice, run: () => ask(checkQueues) },
    { name: 'ClickHouse mutations', advice, run: () => ask(checkMutations) },
  ];
}

async function checkAddresses(clickhouse: ClickHouse, { cluster }: Replicas): Promise<Finding> {
  const facts = await inspectAddresses(replicaGroups(clickhouse), cluster);
  const problems = addressProblems(facts, cluster);
  if (problems.length > 0) return wrong(problems.join('; '), 'list the replicas of every shard in CLICKHOUSE_URL');
  const silent = facts.filter(({ servers }) => servers.length === 0);
  const answering = facts.length - silent.length;
  const found = `${answering} of ${facts.length} answer`;
  if (answering === 0) return wrong(found, 'check CLICKHOUSE_URL, CLICKHOUSE_USER and CLICKHOUSE_PASSWORD');
  if (silent.length > 0) return look(found, `start ${silent.map(({ url }) => new URL(url).host).join(', ')}`);
  const groups = [...Map.groupBy(facts, ({ group }) => group).values()];
  const missing = groups.reduce(
    (sum, group) => sum + Math.max(0, ...group.map(({ replicas }) => replicas)) - group.length,
    0,
  );
  return missing > 0
    ? look(found, `add the other ${missing} to CLICKHOUSE_URL: Trapline does not use them when these fail`)
    : fine(found);
}

/** Lists shards by name, with the number of lanes of each. */
async function checkShards({ shards }: ClickHouse): Promise<Finding> {
  if (shards === undefined) return fine('one');
  const names = await Promise.all(shards.all.map((shard) => shard.name()));
  const bare = await Promise.all(shards.all.map(async ({ clickhouse }) => !(await hasLaneTable(clickhouse))));
  const without = names.filter((_, index) => bare[index]);
  if (without.length > 0) return wrong(`no tables in the shard ${without.join(', ')}`, 'run `trapline migrate`');
  const lanes = await countLanes(shards.home);
  const unlisted = [...lanes].filter(([shard]) => !names.includes(shard));
  if (unlisted.length > 0)
    return wrong(
      unlisted.map(([shard, count]) => `${count} lanes are in the shard ${shard}, which is not listed`).join(', '),
      'add its replicas to CLICKHOUSE_URL',
    );
  return fine(names.map((name) => `${name}: ${lanes.get(name) ?? 0} lanes`).join(', '));
}

async function hasLaneTable(clickhouse: ClickHouse): Promise<boolean> {
  const rows = await clickhouse.rows(
    'look for the table of lanes',
    'SELECT 1 FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { params: { database: clickhouse.database, table: laneShardsTable.name } },
  );
  return rows.length > 0;
}

/** `REMOTE` is needed to create a Distributed table. */
async function checkGrants(clickhouse: ClickHouse): Promise<Finding> {
  const needed = [
    `SYSTEM SYNC REPLICA ON ${quoted(clickhouse.database)}.*`,
    ...((clickhouse.shards?.all.length ?? 1) > 1 ? ['REMOTE ON *.*'] : []),
  ];
  const missing: string[] = [];
  for (const grant of needed) if (!(await isGranted(clickhouse, grant))) missing.push(grant);
  return missing.length === 0
    ? fine(needed.map((grant) => grant.split(' ON ')[0]).join(', '))
    : wrong(
        `${missing.map((grant) => grant.split(' ON ')[0]).join(', ')} is missing`,
        missing.map((grant) => `GRANT ${grant} TO the user of CLICKHOUSE_USER`).join('; '),
      );
}

async function isGranted(clickhouse: ClickHouse, grant: string): Promise<boolean> {
  // The statement does not support FORMAT.
  let answer = '';
  for await (const chunk of clickhouse.bytes('read its grants', `CHECK GRANT ${grant}`)) answer += chunk.toString();
  return answer.trim() === '1';
}

async function checkTokens(clickhouse: ClickHouse): Promise<Finding> {
  const rows = await clickhouse.rows<{ name: string; value: string }>(
    'read the deduplication window',
    `SELECT name, value FROM system.merge_tree_settings
     WHERE name IN ('replicated_deduplication_window', 'replicated_deduplication_window_seconds')`,
  );
  const value = (name: string) => Number(rows.find((row) => row.name === name)?.value ?? 0);
  const tokens = value('replicated_deduplication_window');
  const seconds = value('replicated_deduplication_window_seconds');
  const found = `${tokens} blocks or ${seconds} s`;
  return tokens >= MIN_TOKENS && seconds >= MIN_TOKEN_SECONDS
    ? fine(found)
    : wrong(
        found,
        `set replicated_deduplication_window to ${MIN_TOKENS} and replicated_deduplication_window_seconds to ${MIN_TOKEN_SECONDS} at least`,
      );
}

/** Returns the lowest quorum of all shards: a shard that cannot insert stops its lanes. */
async function checkQuorum(clickhouse: ClickHouse): Promise<Finding> {
  const { shards } = clickhouse;
  if (shards === undefined || shards.all.length === 1) return checkQuorumOf(clickhouse);
  const findings = await Promise.all(
    shards.all.map(async (shard) => {
      const finding = await checkQuorumOf(shard.clickhouse);
      return { ...finding, found: `${await shard.name()}: ${finding.found}` };
    }),
  );
  const worst =
    findings.find(({ state }) => state === 'wrong') ?? findings.find(({ state }) => state === 'look') ?? findings[0];
  return { ...(worst as Finding), found: findings.map(({ found }) => found).join('; ') };
}

async function checkQuorumOf(clickhouse: ClickHouse): Promise<Finding> {
  const tables = await clickhouse.rows<{ table: string; readonly: number; total: number; active: number }>(
    'read its replicas',
    `SELECT table, is_readonly AS readonly, total_replicas AS total, active_replicas AS active
     FROM system.replicas WHERE database = {database:String} ORDER BY active`,
    { params: { database: clickhouse.database } },
  );
  const [least] = tables;
  if (least === undefined) return wrong('no replicated table', 'run `trapline migrate`');
  const readOnly = tables.filter((table) => table.readonly === 1).map(({ table }) => table);
  if (readOnly.length > 0)
    return wrong(
      `read-only: ${readOnly.join(', ')}`,
      'see whether the keeper answers, then system.replicas on each replica',
    );
  const found = `${least.active} of ${least.total} replicas are active`;
  if (least.total < 2)
    return clickhouse.replicas?.all.length === 1
      ? look(found, 'without a second replica, the rows are lost with the server')
      : wrong(found, 'inserts need the other replicas of CLICKHOUSE_URL: start one and run `trapline migrate`');
  if (least.active < Math.floor(least.total / 2) + 1) return wrong(found, 'inserts need a majority: start the others');
  return least.active < least.total ? look(found, 'start the others') : fine(found);
}

async function checkQueues(clickhouse: ClickHouse): Promise<Finding> {
  const queues = await countOnReplicas(
    clickhouse,
    'read the replication queue',
    `SELECT count() AS entries,
       countIf(create_time < now() - {seconds:UInt32} OR (num_tries > {tries:UInt32} AND last_exception != '')) AS stuck
     FROM system.replication_queue WHERE database = {database:String}`,
    { seconds: MAX_QUEUE_SECONDS, tries: MAX_QUEUE_TRIES },
  );
  const stuck = queues.filter((queue) => queue.stuck > 0);
  const found = queues.map(({ host, entries }) => `${host} ${entries}`).join(', ');
  return stuck.length === 0
    ? fine(found)
    : look(
        stuck.map((queue) => `${queue.host}: ${queue.stuck} of ${queue.entries} entries do not finish`).join(', '),
        'read last_exception and postpone_reason in system.replication_queue of that replica',
      );
}

/**
 * Checks mutations (deleted sources, changed columns), which run on each replica independently, also after an outage.
 */
async function checkMutations(clickhouse: ClickHouse): Promise<Finding> {
  const replicas = await countOnReplicas(
    clickhouse,
    'read the mutations',
    `SELECT count() AS entries, countIf(create_time < now() - {seconds:UInt32} OR latest_fail_reason != '') AS stuck
     FROM system.mutations WHERE database = {database:String} AND NOT is_done`,
    { seconds: MAX_MUTATION_SECONDS },
  );
  const stuck = replicas.filter((replica) => replica.stuck > 0);
  const pending = replicas.filter((replica) => replica.entries > 0);
  if (stuck.length > 0)
    return look(
      stuck.map((replica) => `${replica.host}: ${replica.stuck} of ${replica.entries} do not finish`).join(', '),
      'read latest_fail_reason in system.mutations of that replica',
    );
  return fine(pending.map((replica) => `${replica.host} ${replica.entries} pending`).join(', ') || 'none pending');
}

/** Sums `entries` and `stuck` of all replicas. A replica that does not respond counts 0; another check reports it. */
function countOnReplicas(
  clickhouse: ClickHouse,
  operation: string,
  sql: string,
  limits: Readonly<Record<string, number>>,
): Promise<{ readonly host: string; readonly entries: number; readonly stuck: number }[]> {
  const params = { database: clickhouse.database, ...limits };
  return Promise.all(
    replicaGroups(clickhouse)
      .flat()
      .map(async ({ url, clickhouse: replica }) => {
        const [row] = await replica
          .rows<{ entries: string; stuck: string }>(operation, sql, { params })
          .catch(() => []);
        return { host: new URL(url).host, entries: Number(row?.entries ?? 0), stuck: Number(row?.stuck ?? 0) };
      }),
  );
}
