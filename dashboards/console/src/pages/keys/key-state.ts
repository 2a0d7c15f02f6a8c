type KeyState = 'active' | 'revoked' | 'expired';

interface Ending {
  readonly revoked: boolean;
  /** RFC 3339; null: never. */
  readonly expiresAt: string | null;
}

export function stateOfKey({ revoked, expiresAt }: Ending, now = Date.now()): KeyState {
  if (revoked) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}
