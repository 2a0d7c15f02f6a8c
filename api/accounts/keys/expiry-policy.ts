const DAY_MS = 86_400_000;

/** Days before its end at which the owner of a key is warned. */
export const WARNING_DAYS = 7;

export type Expiry =
  | { readonly kind: 'expiry'; readonly expiresAt: Date | undefined }
  /** The wanted end is later than the policy permits. */
  | { readonly kind: 'too-late'; readonly latest: Date };

/** The end of a new or rotated key. `maxDays`: the longest life that the policy permits; null: any. Without a wanted end a key gets the longest life. */
export function expiryOf(wanted: Date | undefined, nowMs: number, maxDays: number | null): Expiry {
  if (maxDays === null) return { kind: 'expiry', expiresAt: wanted };
  const latest = new Date(nowMs + maxDays * DAY_MS);
  if (wanted === undefined) return { kind: 'expiry', expiresAt: latest };
  return wanted.getTime() > latest.getTime() ? { kind: 'too-late', latest } : { kind: 'expiry', expiresAt: wanted };
}
