import { createHash, randomBytes } from 'node:crypto';

/** Crockford's base 32, without letters that resemble digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARACTERS = 16;
const GROUP = 4;
/** Number of recovery codes per user. */
export const RECOVERY_CODES = 10;

/** Creates recovery codes: 80 random bits each, such as `7k2m-9xqd-04tv-he5c`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const digits = Array.from(randomBytes(CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
    return digits.match(new RegExp(`.{${GROUP}}`, 'g'))?.join('-') ?? digits;
  });
}

/** Returns the normal form of a code for hashing: lower case, without spaces and dashes. Undefined for an invalid code. */
export function normalRecoveryCode(typed: string): string | undefined {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return new RegExp(`^[${ALPHABET}]{${CHARACTERS}}$`).test(code) ? code : undefined;
}

/** Returns the stored form of a normalised code. A fast hash suffices, because 80 random bits cannot be guessed. */
export function recoveryCodeHash(userId: string, code: string): Buffer {
  return createHash('sha256').update(`trapline/recovery-code\0${userId}\0${code}`).digest();
}
