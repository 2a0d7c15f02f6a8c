import { LIST_INDEXES } from '../tables/events.ts';
import type { Migration } from './migration.ts';

const OLD = ['timestamp_range', 'type_set', 'register_values'];

/** Lets lists go through a tenth of the indexes they went through. Of events that are there already only times, types and registers are read for it. */
export const eventLists: Migration = {
  number: 8,
  name: 'event-lists',
  async run({ clickhouse }) {
    const alter = (what: string, clauses: readonly string[]): Promise<void> =>
      clickhouse.command(`${what} of lists`, `ALTER TABLE ${clickhouse.table('events')} ${clauses.join(', ')}`, {
        settings: { mutations_sync: '0' },
      });
    await alter(
      'add the indexes',
      LIST_INDEXES.map((index) => `ADD INDEX IF NOT EXISTS ${index}`),
    );
    await alter(
      'fill the indexes',
      LIST_INDEXES.map((index) => `MATERIALIZE INDEX ${index.slice(0, index.indexOf(' '))}`),
    );
    await alter(
      'drop the old indexes',
      OLD.map((index) => `DROP INDEX IF EXISTS ${index}`),
    );
  },
};
