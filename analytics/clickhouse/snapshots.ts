import { randomUUID } from 'node:crypto';
import type { ClickHouse } from './client.ts';
import { insertRows } from './insert-rows.ts';
import type { Lane } from './port.ts';
import { trackerSnapshotsTable } from './tables/tracker-snapshots.ts';

/** Number of complete snapshots kept per lane. The newest may be above the mark of a process that was fenced since. */
const KEPT = 3;

export interface Snapshots {
  latest(lane: Lane, mark: number): Promise<{ offset: number; chunks: string[] } | undefined>;
  save(lane: Lane, offset: number, chunks: readonly string[]): Promise<void>;
}

/** Saves the state of trackers, and finds the newest complete snapshot. */
export function createSnapshots(clickhouse: ClickHouse): Snapshots {
  const name = clickhouse.table(trackerSnapshotsTable.name);

  /**
   * Returns snapshots, newest first. Only those with all chunks count, because a save may be interrupted between two
   * chunks.
   */
  function complete(lane: Lane, mark: number, limit: number): Promise<{ offset: string; snapshot: string }[]> {
    return clickhouse.rows(
      'find tracker snapshots',
      `SELECT offset, snapshot FROM ${name}
       WHERE topic = {topic:String} AND partition = {partition:UInt64} AND offset <= {mark:UInt64}
       GROUP BY offset, snapshot HAVING uniqExact(chunk) = any(chunks)
       ORDER BY offset DESC, snapshot DESC LIMIT {limit:UInt64}`,
      { params: { ...lane, mark, limit } },
    );
  }

  return {
    async latest(lane, mark) {
      if (mark < 0) return undefined;
      await clickhouse.replicas?.catchUp(trackerSnapshotsTable.name);
      const [newest] = await complete(lane, mark, 1);
      if (newest === undefined) return undefined;
      const rows = await clickhouse.rows<{ data: string }>(
        'read a tracker snapshot',
        `SELECT data FROM ${name}
         WHERE topic = {topic:String} AND partition = {partition:UInt64} AND offset = {offset:UInt64} AND snapshot = {snapshot:String}
         ORDER BY chunk LIMIT 1 BY chunk`,
        { params: { ...lane, ...newest } },
      );
      return { offset: Number(newest.offset), chunks: rows.map((row) => row.data) };
    },

    async save(lane, offset, chunks) {
      const snapshot = randomUUID();
      const receivedMs = Date.now();
      await insertRows(
        clickhouse,
        trackerSnapshotsTable,
        chunks.map((data, chunk) => ({ ...lane, offset, snapshot, chunk, chunks: chunks.length, receivedMs, data })),
      );
      await dropSuperseded(lane, offset);
    },
  };

  /**
   * Drops superseded snapshots. Each offset is a separate table partition, so this deletes directories and rewrites
   * nothing.
   */
  async function dropSuperseded(lane: Lane, offset: number): Promise<void> {
    const kept = await complete(lane, offset, KEPT);
    const oldest = kept[KEPT - 1];
    if (oldest === undefined) return;
    const stale = await clickhouse.rows<{ offset: string }>(
      'find superseded tracker snapshots',
      `SELECT DISTINCT offset FROM ${name}
       WHERE topic = {topic:String} AND partition = {partition:UInt64} AND offset < {oldest:UInt64}`,
      { params: { ...lane, oldest: oldest.offset } },
    );
    for (const { offset: gone } of stale) {
      await clickhouse.command(
        'drop a superseded tracker snapshot',
        `ALTER TABLE ${name} DROP PARTITION ({topic:String}, {partition:UInt64}, {gone:UInt64})`,
        { params: { ...lane, gone } },
      );
    }
  }
}
