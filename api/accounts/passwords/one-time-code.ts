import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

export interface OneTimeCodes {
  /** Six digits, each code as likely as any other. */
  newCode(): string;
  /** What is stored of a code: HMAC-SHA-256 of address and code. */
  digest(email: string, code: string): Buffer;
  /** Whether the code is the one that was stored; in constant time. */
  matches(email: string, code: string, stored: Buffer): boolean;
}

const DIGITS = 6;

/** `secrets`: AUTH_SECRET, the newest first. Codes that were stored under an older one are still good. */
export function createOneTimeCodes({ secrets }: { readonly secrets: readonly [string, ...string[]] }): OneTimeCodes {
  const digestWith = (secret: string, email: string, code: string) =>
    createHmac('sha256', secret).update(`trapline/one-time-code\0${email}\0${code}`).digest();
  return {
    newCode: () => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0'),
    digest: (email, code) => digestWith(secrets[0], email, code),
    matches: (email, code, stored) =>
      secrets.map((secret) => timingSafeEqual(digestWith(secret, email, code), stored)).includes(true),
  };
}
