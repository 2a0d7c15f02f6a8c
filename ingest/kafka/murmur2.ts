const MIX = 0x5bd1e995;
const SEED = 0x9747b28c;

/**
 * Hash that the Java client and kafkajs use to choose the partition of a key:
 * org.apache.kafka.common.utils.Utils.murmur2. Returns a signed 32-bit integer. Our own implementation, because the one
 * of kafkajs takes quadratic time: minutes for a key of a megabyte. Senders choose the keys.
 */
export function murmur2(key: Buffer): number {
  const { length } = key;
  const whole = length & ~3;
  let hash = SEED ^ length;
  for (let at = 0; at < whole; at += 4) {
    let word = Math.imul(key.readInt32LE(at), MIX);
    word = Math.imul(word ^ (word >>> 24), MIX);
    hash = Math.imul(hash, MIX) ^ word;
  }
  for (let at = length - 1; at >= whole; at--) hash ^= (key[at] ?? 0) << (8 * (at - whole));
  if (whole < length) hash = Math.imul(hash, MIX);
  hash = Math.imul(hash ^ (hash >>> 13), MIX);
  return hash ^ (hash >>> 15);
}
