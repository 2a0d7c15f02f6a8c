import { availableParallelism } from 'node:os';
import { createHasher, type Hasher } from '../passwords/hasher.ts';

/** After a restart every key is cold: as many may wait as a large site has programs. */
const MAX_COLD_KEYS = 1_000;
/**
 * Slow hashing protects secrets that people choose. A secret of 256 random bits cannot be guessed at any speed, so a quarter of the cost of a password is
 * enough: about 13 ms. After a restart, a fleet of clients is verified four times as fast.
 */
const COST = 8;

/**
 * Hashing threads for keys only: many keys must not delay sign-ins, and many sign-ins must not delay keys. They use half of the cores, so that the threads
 * that serve requests have the others. They start with the first key that is not cached.
 */
export function createKeyHasher(): Hasher {
  return createHasher({
    threads: Math.max(1, Math.floor(availableParallelism() / 2)),
    maxQueued: MAX_COLD_KEYS,
    cost: COST,
  });
}
