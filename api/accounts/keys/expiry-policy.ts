const DAY_MS = 86_400_000;

/** Days before the expiry at which the owner of a key is warned. */
export const WARNING_DAYS = 7;

export type Expiry =
  | { readonly kind: 'expiry'; readonly expiresAt: Date | undefined }
  /** The requested expiry is later than the policy permits. */
  | { readonly kind: 'too-late'; readonly latest: Date };

/**
 * Returns the expiry of a new or rotated key. `maxDays`: maximum lifetime by the policy; null: unlimited. If no expiry
 * is requested, a key gets the maximum lifetime.
 */
export function expiryOf(wanted: Date | undefined, nowMs: number, maxDays: number | null): Expiry {
  if (maxDays === null) return { kind: 'expiry', expiresAt: wanted };
  const latest = new Date(nowMs + maxDays * DAY_MS);
  if (wanted === undefined) return { kind: 'expiry', expiresAt: latest };
  return wanted.getTime() > latest.getTime() ? { kind: 'too-late', latest } : { kind: 'expiry', expiresAt: wanted };
}
