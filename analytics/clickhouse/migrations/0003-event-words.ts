import { WORD_INDEX } from '../tables/events.ts';
import type { Migration } from './migration.ts';

/** Lets searches find words of events without reading them all. Events that are there already get into the index in the background. */
export const eventWords: Migration = {
  number: 3,
  name: 'event-words',
  async run({ clickhouse }) {
    const events = clickhouse.table('events');
    // The first index of words took as much memory to merge as small servers have.
    await clickhouse.command('drop the old index of words', `ALTER TABLE ${events} DROP INDEX IF EXISTS raw_words`, {
      settings: { mutations_sync: '0' },
    });
    await clickhouse.command('add the index of words', `ALTER TABLE ${events} ADD INDEX IF NOT EXISTS ${WORD_INDEX}`);
    await clickhouse.command('index the words of old events', `ALTER TABLE ${events} MATERIALIZE INDEX word_filter`, {
      settings: { mutations_sync: '0' },
    });
  },
};
