import type { Generated, Selectable } from 'kysely';

/** A key of a user. Of the secret only a bcrypt hash is kept. */
export interface ApiKeysTable {
  keyId: string;
  userId: string;
  secretHash: string;
  label: string;
  scopes: string[];
  createdAt: Generated<Date>;
  lastUsedAt: Generated<Date | null>;
  revokedAt: Generated<Date | null>;
  expiresAt: Date | null;
}

export type ApiKey = Selectable<ApiKeysTable>;
