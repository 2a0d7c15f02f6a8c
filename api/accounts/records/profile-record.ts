import type { ProfileRecord } from '#schemas/api/profile.ts';
import type { Profile } from '../tables/users.ts';

/** What an account's owner is sent. Field by field: a new column is not sent by itself. */
export function profileRecord(user: Profile): ProfileRecord {
  const { id, username, email, image, role, emailVerified, createdAt } = user;
  return { id, username, email, image, role, emailVerified, createdAt: createdAt.toISOString() };
}
