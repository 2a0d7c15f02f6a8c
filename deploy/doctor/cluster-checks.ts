import type { ClickHouse, Replicas } from '#analytics/clickhouse/client.ts';
import { addressProblems, inspectAddresses } from '#analytics/clickhouse/replica-check.ts';
import { quoted } from '#analytics/clickhouse/table.ts';
import { type Check, type Finding, fine, look, wrong } from './check.ts';

/** Fewer remembered tokens, or a shorter memory, could store a block twice when its insert is repeated. */
const MIN_TOKENS = 1_000;
const MIN_TOKEN_SECONDS = 600;
/** An entry of the replication queue that is older, or was tried more often, does not finish by itself soon. */
const MAX_QUEUE_SECONDS = 600;
const MAX_QUEUE_TRIES = 100;

/** Checks of a cluster's replicas. `ask` connects to the cluster of the configuration. */
export function clusterChecks(
  ask: <T>(question: (clickhouse: ClickHouse, replicas: Replicas) => Promise<T>) => Promise<T>,
  advice: string,
): Check[] {
  return [
    { name: 'ClickHouse replicas', advice, run: () => ask((_, replicas) => checkAddresses(replicas)) },
    { name: 'ClickHouse grants', advice, run: () => ask(checkGrants) },
    { name: 'ClickHouse deduplication', advice, run: () => ask(checkTokens) },
    { name: 'ClickHouse quorum', advice, run: () => ask(checkQuorum) },
    { name: 'ClickHouse replication queue', advice, run: () => ask(checkQueues) },
  ];
}

async function checkAddresses({ all, cluster }: Replicas): Promise<Finding> {
  const facts = await inspectAddresses(all, cluster);
  const problems = addressProblems(facts, cluster);
  if (problems.length > 0) return wrong(problems.join('; '), 'list the replicas of one shard in CLICKHOUSE_URL');
  const silent = facts.filter(({ servers }) => servers.length === 0);
  const answering = facts.length - silent.length;
  const found = `${answering} of ${facts.length} answer`;
  if (answering === 0) return wrong(found, 'look at CLICKHOUSE_URL, CLICKHOUSE_USER and CLICKHOUSE_PASSWORD');
  if (silent.length > 0) return look(found, `start ${silent.map(({ url }) => new URL(url).host).join(', ')}`);
  const missing = Math.max(...facts.map(({ replicas }) => replicas)) - facts.length;
  return missing > 0
    ? look(found, `add the other ${missing} to CLICKHOUSE_URL: Trapline does not use them when these fail`)
    : fine(found);
}

async function checkGrants(clickhouse: ClickHouse): Promise<Finding> {
  // The statement takes no FORMAT.
  let answer = '';
  for await (const chunk of clickhouse.bytes(
    'read its grants',
    `CHECK GRANT SYSTEM SYNC REPLICA ON ${quoted(clickhouse.database)}.*`,
  ))
    answer += chunk.toString();
  return answer.trim() === '1'
    ? fine('SYSTEM SYNC REPLICA')
    : wrong(
        'SYSTEM SYNC REPLICA is missing',
        `GRANT SYSTEM SYNC REPLICA ON ${clickhouse.database}.* TO the user of CLICKHOUSE_USER`,
      );
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

async function checkQuorum(clickhouse: ClickHouse): Promise<Finding> {
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
    return wrong(found, 'inserts need two replicas at least: start another one and run `trapline migrate`');
  if (least.active < Math.floor(least.total / 2) + 1) return wrong(found, 'inserts need a majority: start the others');
  return least.active < least.total ? look(found, 'start the others') : fine(found);
}

async function checkQueues({ database }: ClickHouse, { all }: Replicas): Promise<Finding> {
  const queues = await Promise.all(
    all.map(async ({ url, clickhouse }) => {
      const [row] = await clickhouse
        .rows<{ entries: string; stuck: string }>(
          'read the replication queue',
          `SELECT count() AS entries,
             countIf(create_time < now() - {seconds:UInt32} OR (num_tries > {tries:UInt32} AND last_exception != '')) AS stuck
           FROM system.replication_queue WHERE database = {database:String}`,
          { params: { database, seconds: MAX_QUEUE_SECONDS, tries: MAX_QUEUE_TRIES } },
        )
        .catch(() => []);
      return { host: new URL(url).host, entries: Number(row?.entries ?? 0), stuck: Number(row?.stuck ?? 0) };
    }),
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
