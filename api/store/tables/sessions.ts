import type { Generated, Selectable } from 'kysely';

/** A sign-in that holds. Deleting the row ends it on every process at once. */
export interface SessionsTable {
  id: Generated<string>;
  userId: string;
  createdAt: Generated<Date>;
  expiresAt: Date;
  ip: string;
  userAgent: string;
}

export type Session = Selectable<SessionsTable>;
