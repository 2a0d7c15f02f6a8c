import { eventMerges } from './0009-event-merges.ts';
import type { Migration } from './migration.ts';

/** Lets days that are over become one part in tables of before, too: see `EVENT_MERGES`. */
export const eventDays: Migration = { number: 12, name: 'event-days', run: eventMerges.run };
