import { date } from '../native/scalars.ts';
import { type Column, column } from '../table.ts';

/**
 * The partition key of the chained tables: the UTC day on which the *previous* block of the lane was received,
 * 1970-01-01 for the first. It lags by one block. The server compares deduplication tokens within one table partition
 * only. With the block's own day as key, two processes that append after the same mark shortly before and after
 * midnight would both succeed. This day follows from the mark alone, so concurrent writers always use the same
 * partition.
 */
export const landingDay: Column<number> = column('landing_day', date, (day: number) => day);

/** Retention by the day of receipt, in whole days, so that usually whole parts are dropped. */
export const retainByReceipt = (days: number): string =>
  `toDateTime(toStartOfDay(received)) + INTERVAL ${days + 1} DAY`;
