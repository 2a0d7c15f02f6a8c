import type { Generated } from 'kysely';

/** Secrets that definitions name; each owner has names of his own. */
export interface ExecutionSecretsTable {
  /** The id of a user, or `operator`. */
  owner: string;
  name: string;
  /** Encrypted and authenticated; see `seal.ts`. */
  sealed: Buffer;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}
