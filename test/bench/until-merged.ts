import { setTimeout as pause } from 'node:timers/promises';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { eventsTable } from '#analytics/clickhouse/tables/events.ts';

const LOOK_EVERY_MS = 1_000;
/** Consecutive polls without merges. The server looks for parts to merge every few seconds. */
const LOOKS_WITHOUT_MERGES = 15;

interface Parts {
  readonly parts: string;
  readonly merges: string;
  /** Events whose words are not indexed yet: the first merge of a landed part adds them to the index. */
  readonly unindexed: string;
}

/**
 * Resolves when the background merges of the events are done. Returns a text about the remaining parts. The server
 * merges a past day into one part an hour later (settings of the table `events`); this function requests that merge
 * immediately.
 */
export async function untilMerged(clickhouse: ClickHouse): Promise<string> {
  await idle(clickhouse);
  const days = await clickhouse.rows<{ day: string }>(
    'list days that are over',
    `SELECT partition AS day FROM system.parts WHERE active AND database = {database:String} AND table = {table:String}
     AND partition < toString(today())
     GROUP BY day HAVING count() > 1 ORDER BY day`,
    { params: tableOf(clickhouse) },
  );
  for (const { day } of days)
    await clickhouse.command(
      'merge a day that is over',
      `OPTIMIZE TABLE ${clickhouse.table(eventsTable.name)} PARTITION '${day}' FINAL`,
    );
  return idle(clickhouse);
}

async function idle(clickhouse: ClickHouse): Promise<string> {
  for (let quiet = 0; ; ) {
    const [found] = await clickhouse.rows<Parts>(
      'look at the parts of events',
      `SELECT (SELECT count() FROM system.merges WHERE database = {database:String} AND table = {table:String}) AS merges,
         count() AS parts, sumIf(rows, level = 0) AS unindexed
       FROM system.parts WHERE active AND database = {database:String} AND table = {table:String}`,
      { params: tableOf(clickhouse) },
    );
    quiet = Number(found?.merges) === 0 ? quiet + 1 : 0;
    if (quiet >= LOOKS_WITHOUT_MERGES)
      return `${found?.parts} parts; the words of ${found?.unindexed} events are not indexed`;
    await pause(LOOK_EVERY_MS);
  }
}

const tableOf = ({ database }: ClickHouse) => ({ database, table: eventsTable.name });
