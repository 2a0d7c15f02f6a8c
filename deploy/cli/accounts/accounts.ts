import type { CreatedApiKeyBody, NewApiKeyBody } from '#schemas/api/api-keys.ts';
import type { Role } from '#schemas/api/roles.ts';
import type { AdministeredUserBody } from '#schemas/api/users.ts';
import { findLocalServer } from '../../local-server.ts';
import type { CommandContext } from '../context.ts';

export interface NewAccount {
  readonly email: string;
  readonly username: string;
  readonly role: Role;
  readonly emailVerified: boolean;
}

export interface AccountChange {
  readonly role?: Role;
  /** False ends a lockout too. */
  readonly disabled?: boolean;
}

/** Accounts and keys as commands work with them. All reject with a `CommandError`; what is done is audited as done by the operator. */
export interface Accounts {
  createUser(user: NewAccount): Promise<AdministeredUserBody>;
  /** All accounts, the oldest first. */
  listUsers(): Promise<AdministeredUserBody[]>;
  changeUser(userId: string, change: AccountChange): Promise<AdministeredUserBody>;
  /** The id of the user with this address. */
  userIdOf(email: string): Promise<string>;
  createKey(userId: string, key: NewApiKeyBody): Promise<CreatedApiKeyBody>;
  /** `{data}` as the API shows it. */
  listKeys(userId: string): Promise<object>;
  revokeKey(keyId: string): Promise<void>;
}

/**
 * Works with the accounts of the server that `TRAPLINE_URL` names or that runs on the data directory; where there is neither, of the
 * database that `DATABASE_URL` names, so that the first administrator can be made before the first start.
 */
export async function withAccounts<T>(context: CommandContext, work: (accounts: Accounts) => Promise<T>): Promise<T> {
  const config = await context.config();
  const served = config.server.url ?? (await findLocalServer(config.dataDir))?.url;
  if (served !== undefined || config.postgres.url === undefined) {
    const { accountsOverHttp } = await import('./over-http.ts');
    return work(accountsOverHttp(await context.server()));
  }
  const { withDatabaseAccounts } = await import('./on-database.ts');
  return withDatabaseAccounts(config.postgres.url, work);
}
