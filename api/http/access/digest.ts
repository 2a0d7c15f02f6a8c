import { createHash } from 'node:crypto';

/** Returns the SHA-256 digest of a secret, for comparisons in constant time. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
