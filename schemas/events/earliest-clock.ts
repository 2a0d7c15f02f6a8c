/**
 * Unix time in seconds, in 1973. An earlier timestamp is taken as time since boot of a machine whose boot time is
 * unknown.
 */
export const EARLIEST_CLOCK_SECONDS = 100_000_000;
