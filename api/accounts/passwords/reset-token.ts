import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, in 43 characters that a URL takes as they are. */
export function newResetToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored. The token can't be guessed, so it needs no slow hash. */
export function resetTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Where a user sets a password by this token. `baseUrl`: of the server, without a slash at the end. */
export function resetLink(baseUrl: string, token: string): string {
  return `${baseUrl}/auth/reset-password?token=${token}`;
}
