import { Secret, TOTP } from 'otpauth';

/** Issuer that authenticator apps display. */
const ISSUER = 'Trapline';
/** Parameters that every authenticator app supports: HMAC-SHA-1, 6 digits, 30 s (RFC 6238). */
const SHAPE = { issuer: ISSUER, algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** Number of accepted steps before and after the current one, because clocks differ and typing takes time. */
const WINDOW = 1;

export const TOTP_CODE = /^\d{6}$/;

/** Creates a random secret in base 32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Returns the `otpauth:` URI of a secret, which authenticator apps read as a QR code. */
export function totpUri(secret: string, account: string): string {
  return new TOTP({ ...SHAPE, label: account, secret: Secret.fromBase32(secret) }).toString();
}

/**
 * Returns the time step of a code. Undefined if the code is wrong, or its step is not after `lastStep`. The caller must
 * store the step as the next `lastStep`, so that each code is accepted once and no older code afterwards.
 */
export function totpStep(
  secret: string,
  code: string,
  { nowMs, lastStep }: { readonly nowMs: number; readonly lastStep: number },
): number | undefined {
  if (!TOTP_CODE.test(code)) return undefined;
  const totp = new TOTP({ ...SHAPE, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW });
  if (delta === null) return undefined;
  const step = totp.counter({ timestamp: nowMs }) + delta;
  return step > lastStep ? step : undefined;
}
