import { availableParallelism } from 'node:os';
import { createHasher, type Hasher } from '../passwords/hasher.ts';

/** Maximum number of queued keys. After a restart no key is cached, so it is the number of clients of a large site. */
const MAX_COLD_KEYS = 1_000;
/**
 * bcrypt cost. Slow hashing protects secrets that people choose. A secret of 256 random bits cannot be guessed at any
 * speed, so a quarter of the cost of a password suffices: about 13 ms. After a restart, a fleet of clients is verified
 * four times as fast.
 */
const COST = 8;

/**
 * Hashing threads for keys only: many keys must not delay sign-ins, and many sign-ins must not delay keys. They use
 * half of the cores and leave the others to the threads that serve requests. They start with the first key that is not
 * cached.
 */
export function createKeyHasher(): Hasher {
  return createHasher({
    threads: Math.max(1, Math.floor(availableParallelism() / 2)),
    maxQueued: MAX_COLD_KEYS,
    cost: COST,
  });
}
