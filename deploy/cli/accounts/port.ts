import type { CreatedApiKeyBody, NewApiKeyBody, RotatedApiKeyBody, RotationBody } from '#schemas/api/api-keys.ts';
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
  /** False also ends a lockout. */
  readonly disabled?: boolean;
}

/**
 * Accounts and keys for commands. All methods reject with a `CommandError`. Changes are audited as made by the
 * operator.
 */
export interface Accounts {
  createUser(user: NewAccount): Promise<AdministeredUserBody>;
  /** Returns a link to set a password; undefined if the server's address is unknown. */
  createPasswordLink(userId: string): Promise<PasswordLinkBody | undefined>;
  /** Returns all accounts, oldest first. */
  listUsers(): Promise<AdministeredUserBody[]>;
  changeUser(userId: string, change: AccountChange): Promise<AdministeredUserBody>;
  /** Returns the id of the user with this address. */
  userIdOf(email: string): Promise<string>;
  createKey(userId: string, key: NewApiKeyBody): Promise<CreatedApiKeyBody>;
  /** Returns `{data}` as in the API. */
  listKeys(userId: string): Promise<object>;
  revokeKey(keyId: string): Promise<void>;
  /** Gives a key a new secret. */
  rotateKey(keyId: string, rotation: RotationBody): Promise<RotatedApiKeyBody>;
}
