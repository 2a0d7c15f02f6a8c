import type { Generated, Selectable } from 'kysely';
import type { Role } from '#schemas/api/roles.ts';

/** One account. A person who signs in with a provider alone has no password hash. */
export interface UsersTable {
  id: Generated<string>;
  /** As it was given; unique whatever the case. */
  username: string;
  /** Lower case; unique. */
  email: string;
  passwordHash: string | null;
  image: Generated<string | null>;
  role: Generated<Role>;
  disabled: Generated<boolean>;
  /** From this moment on the account counts as disabled. */
  endDate: Generated<Date | null>;
  failedLoginAttempts: Generated<number>;
  /** Sign-in is refused until then. */
  lockUntil: Generated<Date | null>;
  emailVerified: Generated<boolean>;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}

export type User = Selectable<UsersTable>;
