import { availableParallelism } from 'node:os';
import { createHasher, type Hasher } from '../passwords/hasher.ts';

/** After a restart every key is cold: as many may wait as a large site has programs. */
const MAX_COLD_KEYS = 1_000;
/**
 * Slowness protects what people make up. A secret of 256 random bits is not found by trying, whatever a try costs, so a quarter of what a
 * password gets is plenty: about 13 ms, and a fleet comes back four times as fast.
 */
const COST = 8;

/**
 * Threads for keys alone: a flood of keys must not keep people from signing in, nor the other way round. Half of the cores, so that
 * the threads that serve requests have the others. They start with the first cold key.
 */
export function createKeyHasher(): Hasher {
  return createHasher({
    threads: Math.max(1, Math.floor(availableParallelism() / 2)),
    maxQueued: MAX_COLD_KEYS,
    cost: COST,
  });
}
