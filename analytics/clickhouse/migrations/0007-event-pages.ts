import { settingClauses } from '../table.ts';
import { DETECTOR_RAW, eventsTable } from '../tables/events.ts';
import type { Migration } from './migration.ts';

/**
 * Lets lists read a page of what is rare and everywhere without unpacking what lies around it. What detectors said is put into its column in the background;
 * numbers are packed in smaller blocks from the next merge on.
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
  },
};
