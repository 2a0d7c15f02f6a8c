import { fileURLToPath } from 'node:url';

/** Environment that bin/trapline sets before it starts Node. Measured processes use the same. */
export const PROGRAM_ENV = {
  MALLOC_ARENA_MAX: '1',
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/trapline-compiled', import.meta.url)),
} as const;

/** Node options for `ingest`. */
export const INGEST_OPTIONS: readonly string[] = ['--max-semi-space-size=32', '--no-allocation-site-pretenuring'];

/** Node options for most commands. */
export const PROGRAM_OPTIONS: readonly string[] = ['--max-semi-space-size=16', '--no-allocation-site-pretenuring'];

/** Node options for `api`. */
export const API_OPTIONS: readonly string[] = ['--max-semi-space-size=16', '--heap-growing-percent=40'];

/** Node options for a `detect` that follows a log. */
export const FOLLOWER_OPTIONS: readonly string[] = ['--max-semi-space-size=1', '--optimize-for-size'];
