import { settingClauses } from '../table.ts';
import { EVENT_MERGES } from '../tables/events.ts';
import type { Migration } from './migration.ts';

/** Lets tables of events that are there already be merged as seldom as new ones, and days that are over become one part: see `EVENT_MERGES`. */
export const eventMerges: Migration = {
  number: 4,
  name: 'event-merges',
  async run({ clickhouse }) {
    await clickhouse.command(
      'merge events less often',
      `ALTER TABLE ${clickhouse.table('events')} MODIFY SETTING ${settingClauses(EVENT_MERGES).join(', ')}`,
    );
  },
};
