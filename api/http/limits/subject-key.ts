import { createHmac } from 'node:crypto';

/** Long enough that no two e-mail addresses have the same name. */
const BYTES = 16;

/**
 * Names an e-mail address in keys of the shared state, which must not contain the address: an HMAC, so that a reader of the keys
 * cannot guess addresses either. Spellings that differ in case have the same name.
 */
export function subjectKey(secret: string, email: string): string {
  const digest = createHmac('sha256', secret).update(`limits:${email.trim().toLowerCase()}`).digest();
  return digest.subarray(0, BYTES).toString('base64url');
}
