import { randomBytes } from 'node:crypto';

/** Secrets for test processes that share a database and have separate data directories. */
export function sharedSecrets(): { AUTH_SECRET: string; JWT_SECRET: string } {
  const secret = () => randomBytes(32).toString('base64url');
  return { AUTH_SECRET: secret(), JWT_SECRET: secret() };
}
