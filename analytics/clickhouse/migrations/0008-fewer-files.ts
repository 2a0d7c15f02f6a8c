import type { ClickHouse } from '../client.ts';
import { ClickHouseFailure } from '../failure.ts';
import { settingClauses } from '../table.ts';
import { apiRequestsTable } from '../tables/api-requests.ts';
import { deadLetterRecordsTable } from '../tables/dead-letter-records.ts';
import { eventsTable } from '../tables/events.ts';
import { eventMerges } from './0004-event-merges.ts';
import type { Migration } from './migration.ts';

/**
 * How a block that lands is written. Making a file costs the server's file system the more, the more of them were deleted lately, as each merge deletes all
 * files of what it merged: of 29 files a block 18 were indexes of a hundred bytes.
 */
export const PART_FILES = {
  /** Small indexes of a part stand in one file, its merged ones apart, as before. From ClickHouse 26.6 on; from 26.8 on its default, for up to 1 MiB. */
  packed_skip_index_max_bytes: 64 * 1024,
  /** A column of a block that landed is packed whole, not its nulls, sizes and values apart: nobody reads one without the others. */
  write_marks_for_substreams_in_compact_parts: 0,
} as const;

const UNKNOWN_SETTING = '115';

/**
 * Lets a block that lands be written into half as many files, where the server can: a seventh less of its time for each event. And blocks are merged as
 * `EVENT_MERGES` now says, which step 4 set as it was then.
 */
export const fewerFiles: Migration = {
  number: 8,
  name: 'fewer-files',
  async run(context) {
    const { clickhouse } = context;
    await eventMerges.run(context);
    for (const table of [eventsTable, deadLetterRecordsTable, apiRequestsTable])
      await setWhereKnown(clickhouse, table.name, PART_FILES);
  },
};

/** Gives a table these settings, but for those the server is too old to know: it goes on as it did without them. */
export async function setWhereKnown(
  clickhouse: ClickHouse,
  table: string,
  settings: Readonly<Record<string, string | number>>,
): Promise<void> {
  for (const clause of settingClauses(settings)) {
    try {
      await clickhouse.command(
        'set how a table is kept',
        `ALTER TABLE ${clickhouse.table(table)} MODIFY SETTING ${clause}`,
      );
    } catch (error) {
      if (!(error instanceof ClickHouseFailure && error.code === UNKNOWN_SETTING)) throw error;
    }
  }
}
