import { eventWords } from './0003-event-words.ts';
import type { Migration } from './migration.ts';

/** The same for databases whose index of words is the first one there was. */
export const eventWordFilter: Migration = { number: 5, name: 'event-word-filter', run: eventWords.run };
