import { createHash, randomBytes } from 'node:crypto';

/** Base 32 of Crockford: no letter that is mistaken for a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARACTERS = 16;
const GROUP = 4;
/** Codes a user has at a time. */
export const RECOVERY_CODES = 10;

/** New codes: 80 random bits each, such as `7k2m-9xqd-04tv-he5c`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const digits = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
    return digits.match(new RegExp(`.{${GROUP}}`, 'g'))?.join('-') ?? digits;
  });
}

/** A code as it is hashed: without spaces and dashes, in lower case; undefined for what is no code. */
export function normalRecoveryCode(typed: string): string | undefined {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return new RegExp(`^[${ALPHABET}]{${CHARACTERS}}$`).test(code) ? code : undefined;
}

/** What is stored of a code in its normal form. A fast hash is enough: 80 random bits are not found by trying. */
export function recoveryCodeHash(userId: string, code: string): Buffer {
  return createHash('sha256').update(`trapline/recovery-code\0${userId}\0${code}`).digest();
}
