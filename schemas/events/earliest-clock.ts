/** 1973 in seconds. No event is as old as this: an earlier time counts from the start of a machine, whose boot time is not known. */
export const EARLIEST_CLOCK_SECONDS = 100_000_000;
