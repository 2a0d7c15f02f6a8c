import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** Flags that the authenticator sets; see WebAuthn, 6.1. */
export interface AuthenticatorOptions {
  readonly origin: string;
  readonly rpId?: string;
  /** True if it verifies the user by a PIN. Default: true. */
  readonly verifiesUser?: boolean;
  /** Attestation certificates. Default: none, no attestation. */
  readonly certificates?: readonly Buffer[];
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const CREDENTIAL = 0x40;

const digest = (text: string | Buffer) => createHash('sha256').update(text).digest();

/**
 * Creates an authenticator with one key, which responds as a browser would. Its signatures are real; the caller may set
 * any flags.
 */
export function createAuthenticator(options: AuthenticatorOptions) {
  const { origin, rpId = new URL(origin).hostname, verifiesUser = true, certificates } = options;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let counter = 0;

  function authenticatorData(flags: number, credential = Buffer.alloc(0)): Buffer {
    counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([
      digest(rpId),
      Buffer.from([PRESENT | (verifiesUser ? VERIFIED : 0) | flags]),
      count,
      credential,
    ]);
  }

  function clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  const credentialOf = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    id: id.toString('base64url'),
    setCounter(value: number) {
      counter = value;
    },
    /** `navigator.credentials.create`. */
    create({ challenge }: { readonly challenge: string }) {
      const { x, y } = publicKey.export({ format: 'jwk' });
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x ?? '', 'base64url')],
        [-3, Buffer.from(y ?? '', 'base64url')],
      ]);
      const length = Buffer.from([0, id.length]);
      const cose = Buffer.from(isoCBOR.encode(key as never));
      const authData = authenticatorData(CREDENTIAL, Buffer.concat([Buffer.alloc(16), length, id, cose]));
      const attestation = new Map<string, unknown>([
        ['fmt', certificates === undefined ? 'none' : 'apple'],
        ['attStmt', new Map(certificates === undefined ? [] : [['x5c', certificates]])],
        ['authData', authData],
      ]);
      return credentialOf({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
      });
    },
    /** `navigator.credentials.get`. */
    get({ challenge }: { readonly challenge: string }) {
      const data = authenticatorData(0);
      const client = clientData('webauthn.get', challenge);
      return credentialOf({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, digest(client)]), privateKey).toString('base64url'),
      });
    },
  };
}
