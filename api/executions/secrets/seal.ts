import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts values that must be readable later; see `createSeal`. */
export interface Seal {
  /**
   * Encrypts a text. `context` identifies its purpose and owner. The result can only be opened with the same context.
   */
  seal(text: string, context: string): Buffer;
  /** Decrypts a text. Returns undefined if none of the secrets sealed it in this context. */
  open(sealed: Buffer, context: string): string | undefined;
}

const VERSION = 1;
const ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + ID_BYTES + IV_BYTES;

/**
 * AES-256-GCM with keys derived from the secrets of the installation. The first secret seals. The others are earlier
 * ones, which still open.
 *
 *     1 byte version, 4 bytes id of the secret, 12 bytes nonce, ciphertext, 16 bytes tag
 */
export function createSeal(secrets: readonly [string, ...string[]]): Seal {
  const keys = secrets.map((secret) => ({ id: derive(secret, 'id', ID_BYTES), key: derive(secret, 'key', 32) }));
  const [current] = keys as [(typeof keys)[number]];

  return {
    seal(text, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), current.id, iv, body, cipher.getAuthTag()]);
    },
    open(sealed, context) {
      if (sealed.length < HEAD_BYTES + TAG_BYTES || sealed[0] !== VERSION) return undefined;
      const id = sealed.subarray(1, 1 + ID_BYTES);
      const iv = sealed.subarray(1 + ID_BYTES, HEAD_BYTES);
      for (const { key } of keys.filter((one) => one.id.equals(id))) {
        try {
          const decipher = createDecipheriv('aes-256-gcm', key, iv)
            .setAAD(Buffer.from(context))
            .setAuthTag(sealed.subarray(-TAG_BYTES));
          const body = sealed.subarray(HEAD_BYTES, -TAG_BYTES);
          return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
        } catch {
          // Another secret with the same id, or modified bytes.
        }
      }
      return undefined;
    },
  };
}

/**
 * Returns the first bytes of everything that the secrets seal, which name the format and the secret. `older` belongs to
 * all secrets but the first.
 */
export function sealHeads([current, ...older]: readonly [string, ...string[]]): {
  readonly current: Buffer;
  readonly older: readonly Buffer[];
} {
  const headOf = (secret: string) => Buffer.concat([Buffer.from([VERSION]), derive(secret, 'id', ID_BYTES)]);
  return { current: headOf(current), older: older.map(headOf) };
}

function derive(secret: string, purpose: 'id' | 'key', bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'trapline/execution-secrets', purpose, bytes));
}
