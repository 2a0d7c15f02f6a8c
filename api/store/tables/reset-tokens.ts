import type { Generated, Selectable } from 'kysely';

/** A link that sets a new password, good once. */
export interface ResetTokensTable {
  /** SHA-256 of the token, which has 256 random bits. */
  tokenHash: Buffer;
  userId: string;
  createdAt: Generated<Date>;
  expiresAt: Date;
}

export type ResetToken = Selectable<ResetTokensTable>;
