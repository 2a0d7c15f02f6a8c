import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

export interface OneTimeCodes {
  /** Returns six random digits, uniformly distributed. */
  newCode(): string;
  /** Returns the stored form of a code: HMAC-SHA-256 of address and code. */
  digest(email: string, code: string): Buffer;
  /** True if the code matches the stored digest; compares in constant time. */
  matches(email: string, code: string, stored: Buffer): boolean;
}

const DIGITS = 6;

/** `secrets`: AUTH_SECRET, newest first. Codes stored under an older secret stay valid. */
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
