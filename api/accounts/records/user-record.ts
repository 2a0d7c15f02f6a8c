import type { AdministeredUserBody } from '#schemas/api/users.ts';
import type { AdministeredUser } from '../tables/user-administration.ts';

/** Converts an account to its representation for administrators. */
export function administeredUserRecord(user: AdministeredUser): AdministeredUserBody {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    image: user.image,
    role: user.role,
    disabled: user.disabled,
    endDate: user.endDate?.toISOString() ?? null,
    emailVerified: user.emailVerified,
    failedLoginAttempts: user.failedLoginAttempts,
    lockUntil: user.lockUntil?.toISOString() ?? null,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}
