/**
 * MiB that V8 may count as used in a thread that has not used them. It keeps pages of freed large objects for eight seconds, 32 MiB of them at most
 * (`--max-large-page-pool-size`), hands them to whichever thread asks next for a page of its own, and counts each whole, however little of it is
 * needed. A thread whose limit is reached that way while it starts takes the process with it ("GC during deserialization", SIGTRAP), and no handler
 * is notified of it: so a small limit of a thread has this on top.
 */
export const PAGE_POOL_HEADROOM_MIB = 32;
