import { createHmac } from 'node:crypto';

/** Not a secret: it makes the digest differ from a plain SHA-256, so that digests leaked elsewhere can't be tried against our hashes. */
const DOMAIN = 'trapline/bcrypt-pre-hash/1';

/**
 * What bcrypt gets instead of the secret: 44 characters of base64, whatever the secret's length. bcrypt reads no more than 72 bytes and
 * stops at a zero byte; neither ever happens here. Text is taken in Unicode's form NFKC, so that a password typed on another keyboard
 * is the same one.
 */
export function preHash(secret: string): string {
  return createHmac('sha256', DOMAIN).update(secret.normalize('NFKC')).digest('base64');
}
