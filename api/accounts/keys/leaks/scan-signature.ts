import { createVerify } from 'node:crypto';
import { z } from 'zod';

/** The list of public keys that a scanner publishes. */
const publishedSchema = z.object({
  public_keys: z.array(z.object({ key_identifier: z.string().max(200), key: z.string().max(10_000) })).max(100),
});

/** Parses the public keys of a scanner, by id. Undefined for an invalid list. */
export function scannerKeysOf(text: string): ReadonlyMap<string, string> | undefined {
  try {
    const published = publishedSchema.parse(JSON.parse(text));
    return new Map(published.public_keys.map(({ key_identifier, key }) => [key_identifier, key]));
  } catch {
    return undefined;
  }
}

/** True if `signature` (base64, DER) is a valid ECDSA signature with SHA-256 of the body by this key (PEM). */
export function isScanSignature(publicKey: string, body: Buffer, signature: string): boolean {
  try {
    return createVerify('sha256').update(body).verify(publicKey, signature, 'base64');
  } catch {
    // The key or the signature is malformed.
    return false;
  }
}
