import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Identifies a secret without revealing it. */
export interface SecretFingerprint {
  readonly name: string;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number }, Buffer>(scrypt);
/** 16 MiB and about 50 ms per guess. A change of the cost changes the hashes and requires a new name in `LABEL`. */
const COST = { N: 2 ** 14, r: 8, p: 1 };
const LABEL = 'trapline/secret-fingerprint/1';
const SALT_BYTES = 16;
const HASH_BYTES = 32;

export async function fingerprintOf(name: string, secret: string): Promise<SecretFingerprint> {
  const salt = randomBytes(SALT_BYTES);
  return { name, salt, hash: await hashOf(name, secret, salt) };
}

/** Returns the index of the secret with this fingerprint, or -1. */
export async function indexOfSecret(secrets: readonly string[], { name, salt, hash }: SecretFingerprint) {
  for (const [index, secret] of secrets.entries()) {
    const candidate = await hashOf(name, secret, salt);
    if (candidate.length === hash.length && timingSafeEqual(candidate, hash)) return index;
  }
  return -1;
}

function hashOf(name: string, secret: string, salt: Buffer): Promise<Buffer> {
  return derive(`${LABEL}\0${name}\0${secret}`, salt, HASH_BYTES, COST);
}
