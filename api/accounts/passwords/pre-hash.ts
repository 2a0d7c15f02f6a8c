import { createHmac } from 'node:crypto';

/**
 * Domain separation, not a secret: the digest differs from a plain SHA-256, so that digests leaked elsewhere cannot be
 * tried against our hashes.
 */
const DOMAIN = 'trapline/bcrypt-pre-hash/1';

/**
 * Returns the input for bcrypt: 44 characters of base64 for a secret of any length. bcrypt reads at most 72 bytes and
 * stops at a zero byte; neither limit applies to this form. The text is normalised to Unicode NFKC, so that a password
 * typed on another keyboard is equal.
 */
export function preHash(secret: string): string {
  return createHmac('sha256', DOMAIN).update(secret.normalize('NFKC')).digest('base64');
}
