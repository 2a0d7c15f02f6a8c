import type { Column } from '../table.ts';

/** Bytes from the start of a row to the value: it is the first column, so that a finished block can be stamped. */
export const LANDING_DAY_AT = 0;

/**
 * The partition key of the chained tables: the UTC day on which the block *before* this one in the lane was received, 1970-01-01 for
 * the first. The server compares deduplication tokens within one table partition only. Were the key the block's own day, two
 * processes that build on the same mark a second before and a second after midnight would both be let in; this day follows
 * from the mark alone, so rivals always meet in the same partition. It lags by one block.
 */
export const landingDay: Column<unknown> = {
  name: 'landing_day',
  type: 'Date',
  codec: 'ZSTD(1)',
  comment: 'Partition key: UTC day on which the block before this one was received',
  write: (w) => w.uint16(0),
};

/** Retention by the day of receipt, whole days at a time, so that as a rule whole parts are dropped. */
export const retainByReceipt = (days: number): string =>
  `toDateTime(toStartOfDay(received)) + INTERVAL ${days + 1} DAY`;
