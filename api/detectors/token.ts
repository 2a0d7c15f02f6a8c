import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'tld_';

/** Creates a one-time token: a prefix that scanners recognise, and 256 random bits. */
export function newDetectorToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** Returns the stored form of a token. A token cannot be guessed, so it needs no slow hash. */
export function detectorTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
