import { createHmac } from 'node:crypto';

/** Enough that no two e-mail addresses meet. */
const BYTES = 16;

/**
 * Names an e-mail address in keys of the shared state, where it must not stand itself: an HMAC, so that who reads the keys can't
 * try addresses either. The same for all spellings that differ in case.
 */
export function subjectKey(secret: string, email: string): string {
  const digest = createHmac('sha256', secret).update(`limits:${email.trim().toLowerCase()}`).digest();
  return digest.subarray(0, BYTES).toString('base64url');
}
