import { createHash } from 'node:crypto';

/** SHA-256 of a secret, for comparisons in constant time. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
