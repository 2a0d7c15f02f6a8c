import { settingClauses } from '../table.ts';
import { DETECTOR_RAW, eventsTable, WORD_INDEX } from '../tables/events.ts';
import type { Migration } from './migration.ts';

const OLD_WORD_INDEX = 'word_filter';

/**
 * Lets lists read a page of what is rare and everywhere without unpacking what lies around it, and searches go through a smaller index. What detectors said is
 * put into its column in the background, and so are words into their index: until a part has its own, searches read it whole. Numbers are packed in smaller
 * blocks from the next merge on.
 */
export const eventPages: Migration = {
  number: 7,
  name: 'event-pages',
  async run({ clickhouse }) {
    const alter = (what: string, ...clauses: readonly string[]): Promise<void> =>
      clickhouse.command(what, `ALTER TABLE ${clickhouse.table(eventsTable.name)} ${clauses.join(', ')}`, {
        settings: { mutations_sync: '0' },
      });
    await alter('add the text of detectors', `ADD COLUMN IF NOT EXISTS ${DETECTOR_RAW}`);
    await alter('fill the text of detectors', 'MATERIALIZE COLUMN detector_raw');
    // In parentheses: settings are a list with commas themselves.
    const smaller = eventsTable.columns.flatMap(({ name, settings }) =>
      settings ? [`(MODIFY COLUMN \`${name}\` MODIFY SETTING ${settingClauses(settings).join(', ')})`] : [],
    );
    await alter('pack the numbers of events in smaller blocks', ...smaller);
    const [found] = await clickhouse.rows<{ name: string }>(
      'look for the index of words of before',
      `SELECT name FROM system.data_skipping_indices
       WHERE database = {database:String} AND table = {table:String} AND name = {old:String}`,
      { params: { database: clickhouse.database, table: eventsTable.name, old: OLD_WORD_INDEX } },
    );
    if (found === undefined) return;
    await alter('add the index of words', `ADD INDEX IF NOT EXISTS ${WORD_INDEX}`);
    await alter('fill the index of words', `MATERIALIZE INDEX ${WORD_INDEX.slice(0, WORD_INDEX.indexOf(' '))}`);
    await alter('drop the index of words of before', `DROP INDEX IF EXISTS ${OLD_WORD_INDEX}`);
  },
};
