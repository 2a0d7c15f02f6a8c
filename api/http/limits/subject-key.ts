import { createHmac } from 'node:crypto';

/** Length of the name. Long enough that two e-mail addresses never have the same name. */
const BYTES = 16;

/**
 * Returns the name of an e-mail address in keys of the shared state: an HMAC. The keys do not contain the address, and
 * a reader of the keys cannot guess it. Letter case is ignored.
 */
export function subjectKey(secret: string, email: string): string {
  const digest = createHmac('sha256', secret).update(`limits:${email.trim().toLowerCase()}`).digest();
  return digest.subarray(0, BYTES).toString('base64url');
}
