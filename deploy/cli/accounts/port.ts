import type { CreatedApiKeyBody, NewApiKeyBody } from '#schemas/api/api-keys.ts';
import type { Role } from '#schemas/api/roles.ts';
import type { AdministeredUserBody, PasswordLinkBody } from '#schemas/api/users.ts';

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
  /** A link by which the user sets a password; undefined when the address of the server is not known. */
  createPasswordLink(userId: string): Promise<PasswordLinkBody | undefined>;
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
