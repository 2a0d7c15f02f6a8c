import { createHmac, timingSafeEqual } from 'node:crypto';

/** Header with the signature: `t=<seconds since 1970>,v1=<HMAC-SHA-256 in hexadecimal>`. */
export const SIGNATURE_HEADER = 'x-trapline-signature';
/** Maximum difference between the clock of the sender and ours, including the delay of delivery. */
export const WINDOW_MS = 300_000;

/** Computes the signature of a sender: HMAC-SHA-256 over `<seconds>.<body as sent>` with the secret of the webhook. */
export function webhookSignature(secret: string, body: Uint8Array, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000);
  return `t=${seconds},v1=${macOf(secret, seconds, body).toString('hex')}`;
}

export type SignatureCheck =
  /** `delivery`: key of the delivery, the same for any sender. */
  | { readonly ok: true; readonly delivery: string }
  | { readonly ok: false; readonly reason: 'malformed' | 'wrong' | 'stale' };

/**
 * Parses the header strictly. Checks the time only after the signature, so an unauthenticated client learns nothing
 * about the clock.
 */
export function checkSignature(
  header: string | undefined,
  secret: string,
  body: Uint8Array,
  nowMs: number,
): SignatureCheck {
  const { seconds, mac } = /^t=(?<seconds>\d{1,12}),v1=(?<mac>[0-9a-f]{64})$/i.exec(header ?? '')?.groups ?? {};
  if (seconds === undefined || mac === undefined) return { ok: false, reason: 'malformed' };
  if (!timingSafeEqual(Buffer.from(mac, 'hex'), macOf(secret, Number(seconds), body)))
    return { ok: false, reason: 'wrong' };
  if (Math.abs(nowMs - Number(seconds) * 1000) > WINDOW_MS) return { ok: false, reason: 'stale' };
  return { ok: true, delivery: `${Number(seconds)}.${mac.toLowerCase()}` };
}

function macOf(secret: string, seconds: number, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${seconds}.`).update(body).digest();
}
