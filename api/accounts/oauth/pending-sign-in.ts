import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { z } from 'zod';

/** A sign-in that waits for the provider's answer, kept by the browser that began it. */
export interface PendingSignIn {
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** A local path; see `localPath`. */
  readonly returnTo: string;
}

/** How long a person may take at the provider. */
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
  /** Undefined for what we did not seal, what was changed, and what is older than ten minutes. */
  open(sealed: string): Promise<PendingSignIn | undefined>;
}

/**
 * Seals pending sign-ins for a cookie: encrypted and authenticated (JWE `dir`, A256GCM), so the browser can neither read the code
 * verifier nor invent one, and no store has to keep sign-ins that are never finished.
 * @param secrets the first seals, all open
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
