import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { z } from 'zod';

/** A sign-in that waits for the provider's response, stored in the browser that began it. */
export interface PendingSignIn {
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** A path of this site; see `localPath`. */
  readonly returnTo: string;
}

/** Time limit for the user at the provider. */
export const PENDING_SIGN_IN_SECONDS = 600;

const PURPOSE = 'trapline oauth pending sign-in';
const claimsSchema = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
});

export interface PendingSignIns {
  seal(pending: PendingSignIn): Promise<string>;
  /** Undefined for a value that is forged, modified, or older than ten minutes. */
  open(sealed: string): Promise<PendingSignIn | undefined>;
}

/**
 * Seals pending sign-ins for a cookie: encrypted and authenticated (JWE `dir`, A256GCM). The browser can neither read
 * nor forge the code verifier, and no store keeps sign-ins that are never completed.
 * @param secrets the first one seals, all of them open
 */
export function createPendingSignIns(secrets: readonly [string, ...string[]]): PendingSignIns {
  const [first, ...older] = secrets.map((secret) => new Uint8Array(hkdfSync('sha256', secret, '', PURPOSE, 32)));
  const current = first as Uint8Array;
  return {
    seal: ({ ...claims }) =>
      new EncryptJWT(claims)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setIssuedAt()
        .setExpirationTime(`${PENDING_SIGN_IN_SECONDS}s`)
        .encrypt(current),
    async open(sealed) {
      for (const key of [current, ...older]) {
        const opened = await jwtDecrypt(sealed, key, {
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          requiredClaims: ['exp'],
        }).catch(() => undefined);
        if (opened !== undefined) return claimsSchema.safeParse(opened.payload).data;
      }
      return undefined;
    },
  };
}
