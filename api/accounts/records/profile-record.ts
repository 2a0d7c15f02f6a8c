import type { ProfileRecord } from '#schemas/api/profile.ts';
import type { Profile } from '../tables/users.ts';

/**
 * Converts an account to the response for its owner. Fields are listed explicitly, so that a new column is not exposed
 * automatically.
 */
export function profileRecord(user: Profile): ProfileRecord {
  const { id, username, email, image, role, emailVerified, createdAt } = user;
  return { id, username, email, image, role, emailVerified, createdAt: createdAt.toISOString() };
}
