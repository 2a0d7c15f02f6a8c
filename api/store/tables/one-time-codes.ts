import type { Generated, Selectable } from 'kysely';

/** The code an address was sent last; a new one replaces it. */
export interface OneTimeCodesTable {
  /** Lower case. */
  email: string;
  /** HMAC-SHA-256 of address and code: six digits alone would be found by trying. */
  codeHash: Buffer;
  attempts: Generated<number>;
  createdAt: Generated<Date>;
  expiresAt: Date;
}

export type OneTimeCode = Selectable<OneTimeCodesTable>;
