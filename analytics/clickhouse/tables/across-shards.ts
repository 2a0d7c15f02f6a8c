import { deadLetterRecordsTable } from './dead-letter-records.ts';
import { eventsTable } from './events.ts';

/** Tables whose rows are distributed over the shards of a cluster and read as one. */
export const SPREAD_TABLES: readonly string[] = [eventsTable.name, deadLetterRecordsTable.name];
/** A view over one of them and over a table of the home shard. */
export const SPREAD_VIEW = 'dead_letters';

const SPREAD: ReadonlySet<string> = new Set([...SPREAD_TABLES, SPREAD_VIEW]);

/** Returns the name under which a table or view is read on a cluster of several shards. */
export function nameAcrossShards(name: string): string {
  return SPREAD.has(name) ? `${name}_all` : name;
}
