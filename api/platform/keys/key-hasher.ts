import { createHasher, type Hasher } from '../passwords/hasher.ts';

/** After a restart every key is cold: as many may wait as a large site has programs. The last of 512 waits 4 s on two cores, once. */
const MOST_COLD_KEYS = 512;
/**
 * Slowness protects what people make up. A secret of 256 random bits is not found by trying, whatever a try costs, so a quarter of what a password
 * gets is plenty, and lets a fleet come back four times as fast. About 13 ms.
 */
const COST = 8;

/** Threads for keys alone: a flood of keys must not keep people from signing in, nor the other way round. They start with the first cold key. */
export function createKeyHasher(): Hasher {
  return createHasher({ maxQueued: MOST_COLD_KEYS, cost: COST });
}
