import { LIST_INDEXES, TIME_STATISTICS, WORD_INDEX } from '../tables/events.ts';
import type { Migration } from './migration.ts';

const NEW = [WORD_INDEX, ...LIST_INDEXES];
const OLD = ['timestamp_range', 'type_set'];

/**
 * Lets searches find words of events, and lists go through a tenth of the indexes they went through and leave out whole parts by their times. Events that
 * are there already get into them in the background.
 */
export const eventIndexes: Migration = {
  number: 3,
  name: 'event-indexes',
  async run({ clickhouse }) {
    const alter = (what: string, ...clauses: readonly string[]): Promise<void> =>
      clickhouse.command(`${what} of events`, `ALTER TABLE ${clickhouse.table('events')} ${clauses.join(', ')}`, {
        settings: { mutations_sync: '0', allow_experimental_statistics: 1 },
      });
    await alter('add the indexes', ...NEW.map((index) => `ADD INDEX IF NOT EXISTS ${index}`));
    await alter('fill the indexes', ...NEW.map((index) => `MATERIALIZE INDEX ${index.slice(0, index.indexOf(' '))}`));
    await alter('drop the old indexes', ...OLD.map((index) => `DROP INDEX IF EXISTS ${index}`));
    const { column, type } = TIME_STATISTICS;
    await alter('note the times', `ADD STATISTICS IF NOT EXISTS ${column} TYPE ${type}`);
    await alter('note the times of the parts', `MATERIALIZE STATISTICS ${column}`);
  },
};
