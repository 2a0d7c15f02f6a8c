import { fileURLToPath } from 'node:url';

/** What bin/trapline sets before it starts Node: the processes that are measured have the same. */
export const PROGRAM_ENV = {
  MALLOC_ARENA_MAX: '1',
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/trapline-compiled', import.meta.url)),
} as const;

/** Options of Node for `ingest`. */
export const INGEST_OPTIONS: readonly string[] = ['--max-semi-space-size=32', '--no-allocation-site-pretenuring'];

/** And those for most commands. */
export const PROGRAM_OPTIONS: readonly string[] = ['--max-semi-space-size=16', '--no-allocation-site-pretenuring'];

/** And those for `api`. */
export const API_OPTIONS: readonly string[] = ['--max-semi-space-size=16', '--heap-growing-percent=40'];

/** And those for a `detect` that follows a log. */
export const FOLLOWER_OPTIONS: readonly string[] = ['--max-semi-space-size=1', '--optimize-for-size'];
