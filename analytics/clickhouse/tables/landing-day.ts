import { date } from '../native/scalars.ts';
import { type Column, column } from '../table.ts';

/**
 * The partition key of the chained tables: the UTC day on which the block *before* this one in the lane was received, 1970-01-01 for
 * the first. The server compares deduplication tokens within one table partition only. Were the key the block's own day, two
 * processes that build on the same mark a second before and a second after midnight would both be let in; this day follows
 * from the mark alone, so rivals always meet in the same partition. It lags by one block.
 */
export const landingDay: Column<number> = column('landing_day', date, (day: number) => day);

/** Retention by the day of receipt, whole days at a time, so that as a rule whole parts are dropped. */
export const retainByReceipt = (days: number): string =>
  `toDateTime(toStartOfDay(received)) + INTERVAL ${days + 1} DAY`;
