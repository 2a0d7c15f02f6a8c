import type { Generated, Selectable } from 'kysely';

/** An account at a provider that signs in a user of ours. */
export interface OAuthIdentitiesTable {
  provider: string;
  /** The provider's own id of the account: it never changes, unlike its address. */
  subject: string;
  userId: string;
  email: string;
  createdAt: Generated<Date>;
}

export type OAuthIdentity = Selectable<OAuthIdentitiesTable>;
