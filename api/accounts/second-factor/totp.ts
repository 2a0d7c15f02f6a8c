import { Secret, TOTP } from 'otpauth';

/** Shown by authenticator apps above the code. */
const ISSUER = 'Trapline';
/** What authenticator apps support without exception: HMAC-SHA-1, 6 digits, 30 s (RFC 6238). */
const SHAPE = { issuer: ISSUER, algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** 160 bits, as many as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** Steps before and after the current one that are accepted: clocks differ, and typing takes time. */
const WINDOW = 1;

export const TOTP_CODE = /^\d{6}$/;

/** A new random secret, in base 32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The `otpauth:` address of a secret, which authenticator apps read as a QR code. */
export function totpUri(secret: string, account: string): string {
  return new TOTP({ ...SHAPE, label: account, secret: Secret.fromBase32(secret) }).toString();
}

/**
 * The time step a code belongs to; undefined when the code is wrong, or belongs to a step that is not after `lastStep`. Record the step as the
 * next `lastStep`: a code is accepted once, and none that is older.
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
