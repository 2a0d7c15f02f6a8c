import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Format of a key: `<keyId>.<secret>`, such as `tl_4Yb0dWn1Kq7x.` followed by 49 characters.
 *
 * - keyId: `tl_` and 12 characters of base 62. Not secret: it appears in lists, logs and audit entries.
 * - secret: 43 characters of base 62 (256 random bits) and 6 characters of checksum: CRC-32 of everything before it.
 *
 * Prefix, length and checksum let scanners find a leaked key offline, and let the server reject an invalid key without
 * a query. The secret is shorter than the 72 bytes that bcrypt reads.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'tl_';
const ID_CHARACTERS = 12;
const RANDOM_BYTES = 32;
const RANDOM_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;
const KEY = new RegExp(
  `^(${PREFIX}[0-9A-Za-z]{${ID_CHARACTERS}})\\.([0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}})$`,
);

export interface KeyParts {
  readonly keyId: string;
  readonly secret: string;
}

/** Format of a key id, for routes and commands. */
export const KEY_ID = new RegExp(`^${PREFIX}[0-9A-Za-z]{${ID_CHARACTERS}}$`);

/** Id of the operator key of the data directory. The key belongs to no user and is in no table; `parseKey` rejects it. */
export const OPERATOR_KEY_ID = `${PREFIX}operator`;

/** Creates a unique key. */
export function newKey(): KeyParts {
  // 128 random bits for 12 characters: the probabilities of characters differ by at most 2^-56.
  const id = base62(BigInt(`0x${randomBytes(16).toString('hex')}`) % 62n ** BigInt(ID_CHARACTERS), ID_CHARACTERS);
  return { keyId: PREFIX + id, secret: newSecret(PREFIX + id) };
}

/** Creates a random secret with the checksum that binds it to this id. */
export function newSecret(keyId: string): string {
  const random = base62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), RANDOM_CHARACTERS);
  return random + checksum(`${keyId}.${random}`);
}

export function keyText({ keyId, secret }: KeyParts): string {
  return `${keyId}.${secret}`;
}

/**
 * Returns the parts of a key. Undefined for a text that `newKey` never created, except with a probability of one in
 * four billion (CRC-32). Takes microseconds.
 */
export function parseKey(presented: string): KeyParts | undefined {
  const [, keyId, secret] = KEY.exec(presented) ?? [];
  if (keyId === undefined || secret === undefined) return undefined;
  const signed = presented.slice(0, -CHECKSUM_CHARACTERS);
  return checksum(signed) === secret.slice(-CHECKSUM_CHARACTERS) ? { keyId, secret } : undefined;
}

function checksum(text: string): string {
  // Runs for every presented key, so it does not use `base62`: a 32-bit number needs no BigInt.
  let digits = '';
  for (let rest = crc32(text); digits.length < CHECKSUM_CHARACTERS; rest = Math.floor(rest / 62))
    digits = ALPHABET[rest % 62] + digits;
  return digits;
}

/** Encodes a number, most significant digit first, padded with zeros. */
function base62(value: bigint, characters: number): string {
  let text = '';
  for (let rest = value; text.length < characters; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text;
  return text;
}
