import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'tld_';

/** A new one-time token: a prefix by which scanners recognise it, and 256 random bits. */
export function newDetectorToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** What is stored. The token cannot be guessed, so it needs no slow hash. */
export function detectorTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
