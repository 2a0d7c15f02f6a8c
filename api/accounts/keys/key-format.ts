import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * A key is `<keyId>.<secret>`, such as `tl_4Yb0dWn1Kq7x.` with 49 characters after it:
 *
 *     keyId   `tl_` and 12 characters of base 62. No secret: lists, logs and audit entries name it.
 *     secret  43 characters of base 62, 256 random bits, and 6 of checksum: CRC-32 of everything before it.
 *
 * Prefix, length and checksum let scanners find a leaked key offline, and let the server refuse an invalid key without a query.
 * The secret stays below the 72 bytes that bcrypt reads.
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

/** The shape of a key's id, for routes and commands that name one. */
export const KEY_ID = new RegExp(`^${PREFIX}[0-9A-Za-z]{${ID_CHARACTERS}}$`);

/** The key of the data directory does not belong to a user: it is in no table, and `parseKey` does not know it. */
export const OPERATOR_KEY_ID = `${PREFIX}operator`;

/** A new key; it is unique. */
export function newKey(): KeyParts {
  // 128 bits for 12 characters: no character is likelier than another by more than 2^-56.
  const id = base62(BigInt(`0x${randomBytes(16).toString('hex')}`) % 62n ** BigInt(ID_CHARACTERS), ID_CHARACTERS);
  return { keyId: PREFIX + id, secret: newSecret(PREFIX + id) };
}

/** A random secret with the checksum that ties it to this id. */
export function newSecret(keyId: string): string {
  const random = base62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), RANDOM_CHARACTERS);
  return random + checksum(`${keyId}.${random}`);
}

export function keyText({ keyId, secret }: KeyParts): string {
  return `${keyId}.${secret}`;
}

/** The parts of a key; undefined for everything that was never made by `newKey`, but for one in four thousand million. Costs microseconds. */
export function parseKey(presented: string): KeyParts | undefined {
  const [, keyId, secret] = KEY.exec(presented) ?? [];
  if (keyId === undefined || secret === undefined) return undefined;
  const signed = presented.slice(0, -CHECKSUM_CHARACTERS);
  return checksum(signed) === secret.slice(-CHECKSUM_CHARACTERS) ? { keyId, secret } : undefined;
}

function checksum(text: string): string {
  // Of every key that is presented, so not by way of `base62`: a number of 32 bits needs no BigInt.
  let digits = '';
  for (let rest = crc32(text); digits.length < CHECKSUM_CHARACTERS; rest = Math.floor(rest / 62))
    digits = ALPHABET[rest % 62] + digits;
  return digits;
}

/** Most significant first, filled with zeros. */
function base62(value: bigint, characters: number): string {
  let text = '';
  for (let rest = value; text.length < characters; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text;
  return text;
}
