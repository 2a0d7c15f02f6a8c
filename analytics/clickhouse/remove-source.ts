import { setTimeout as pause } from 'node:timers/promises';
import type { ClickHouse } from './client.ts';
import { ClickHouseFailure } from './failure.ts';
import { deadLetterRecordsTable } from './tables/dead-letter-records.ts';
import { detectionRecordsTable } from './tables/detection-records.ts';
import { eventsTable } from './tables/events.ts';
import { trackerSnapshotsTable } from './tables/tracker-snapshots.ts';

/**
 * The statements wait only for the replica that runs them. An absent replica deletes when it returns. Waiting for it
 * would fail with error 341.
 */
const OWN_REPLICA = '1';
/** Time limit for deletion on other shards, milliseconds. */
const TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/**
 * Removes all records of a local topic, and the detections of its host. For the demo: real records are removed only by
 * retention. Resolves when queries no longer see them. Replicas that are absent or lag remove them later; see
 * `system.mutations`.
 */
export async function removeSource(clickhouse: ClickHouse, topic: string, hostname: string): Promise<void> {
  const servers = clickhouse.shards?.all.map((shard) => shard.clickhouse) ?? [clickhouse];
  const [home = clickhouse] = servers;
  for (const { name } of [eventsTable, deadLetterRecordsTable, trackerSnapshotsTable]) {
    await accepted(
      home.command(`remove a source from ${name}`, `DELETE FROM ${home.table(name)} WHERE topic = {topic:String}`, {
        params: { topic },
        settings: { lightweight_deletes_sync: OWN_REPLICA },
      }),
    );
    await Promise.all(servers.map((server) => untilGone(server, name, 'topic', topic)));
  }
  // Not a lightweight delete: the server rejects it for tables with a column that a lambda computes from others.
  await accepted(
    home.command(
      'remove the detections of a source',
      `ALTER TABLE ${home.table(detectionRecordsTable.name)} DELETE WHERE hostname = {hostname:String}`,
      { params: { hostname }, settings: { mutations_sync: OWN_REPLICA } },
    ),
  );
  await untilGone(home, detectionRecordsTable.name, 'hostname', hostname);
}

/**
 * With several shards, the database runs a statement on each server. A statement that takes longer than
 * `distributed_ddl_task_timeout` is reported by TIMEOUT_EXCEEDED and continues.
 */
async function accepted(statement: Promise<void>): Promise<void> {
  try {
    await statement;
  } catch (error) {
    if (!(error instanceof ClickHouseFailure && error.code === '159')) throw error;
  }
}

async function untilGone(
  server: ClickHouse,
  table: string,
  column: 'topic' | 'hostname',
  value: string,
): Promise<void> {
  const until = Date.now() + TIMEOUT_MS;
  while (Date.now() < until) {
    const rows = await server.rows(
      'look for the rows of a source',
      `SELECT 1 FROM ${server.table(table)} WHERE ${column} = {value:String} LIMIT 1`,
      { params: { value } },
    );
    if (rows.length === 0) return;
    await pause(POLL_MS);
  }
  throw new Error(`rows of ${value} in ${table} are still being removed: see system.mutations`);
}
