import { createHash, randomBytes } from 'node:crypto';

/** Returns 256 random bits as 43 URL-safe characters. */
export function newResetToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the stored form of a token. A token cannot be guessed, so it needs no slow hash. */
export function resetTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns the URL by which a user sets a password with this token. `baseUrl`: URL of the server, without a trailing slash. */
export function resetLink(baseUrl: string, token: string): string {
  return `${baseUrl}/auth/reset-password?token=${token}`;
}
