/**
 * Memory in MiB that V8 may count as used in a thread that does not use it. V8 pools pages of freed large objects for
 * eight seconds, up to 32 MiB (`--max-large-page-pool-size`). It gives them to the next thread that requests a page,
 * and counts each page in full, even if little of it is needed. If a starting thread reaches its limit in this way, the
 * whole process ends ("GC during deserialization", SIGTRAP), and no handler is called. So this is added to small limits
 * of threads.
 */
export const PAGE_POOL_HEADROOM_MIB = 32;
