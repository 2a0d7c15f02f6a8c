import { TIME_STATISTICS } from '../tables/events.ts';
import type { Migration } from './migration.ts';

/** Lets lists of a stretch of time leave out whole parts before they go through any index. Of events that are there already only times are read for it. */
export const eventTimes: Migration = {
  number: 11,
  name: 'event-times',
  async run({ clickhouse }) {
    const events = clickhouse.table('events');
    const settings = { mutations_sync: '0', allow_experimental_statistics: 1 } as const;
    const { column, type } = TIME_STATISTICS;
    await clickhouse.command(
      'note the times of parts',
      `ALTER TABLE ${events} ADD STATISTICS IF NOT EXISTS ${column} TYPE ${type}`,
      { settings },
    );
    await clickhouse.command(
      'note the times of the parts there are',
      `ALTER TABLE ${events} MATERIALIZE STATISTICS ${column}`,
      { settings },
    );
  },
};
