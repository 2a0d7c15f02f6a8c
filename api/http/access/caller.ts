import { hasRole, type Role, SCOPES, type Scope } from '#schemas/api/roles.ts';

/** The caller of a request. The account state is read for every request. */
export type Caller = SessionCaller | KeyCaller | HostCaller | OperatorCaller;

/** A person with a session cookie. */
export interface SessionCaller {
  readonly kind: 'session';
  readonly userId: string;
  readonly username: string;
  readonly email: string;
  readonly role: Role;
  readonly sessionId: string;
}

/** A program with a key of a user. */
export interface KeyCaller {
  readonly kind: 'key';
  readonly userId: string;
  readonly username: string;
  readonly role: Role;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** Undefined if the key is not restricted. */
  readonly restrictions?: KeyRestrictions;
}

/** Restrictions of the key in addition to its scopes. */
export interface KeyRestrictions {
  /** Addresses or networks from which the key may be used. Empty: any. */
  readonly networks: readonly string[];
  /** Workflows and agents that the key may use, as `workflow:<id or name>` and `agent:<id or name>`. Empty: all. */
  readonly resources: readonly string[];
  readonly requestsPerMinute: number | null;
  readonly requestsPerDay: number | null;
}

/** The detector of an enrolled host, with the key of this host. The key belongs to no user. */
export interface HostCaller {
  readonly kind: 'host';
  /** A host has no role; roles belong to users. */
  readonly role: null;
  /** The only host for which it may send events. */
  readonly hostname: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}

/**
 * The operator of the machine. The operator can read the data directory, so the command line on this machine acts as
 * the operator.
 */
export interface OperatorCaller {
  readonly kind: 'operator';
  readonly role: 'admin';
  readonly keyId: string;
}

/** Returns the name of the caller for audit entries and logs. */
export function actorOf(caller: Caller | undefined): string {
  switch (caller?.kind) {
    case 'session':
      return `user:${caller.userId}`;
    case 'key':
    case 'host':
      return `key:${caller.keyId}`;
    case 'operator':
      return 'operator';
    default:
      return 'anonymous';
  }
}

/** Returns the id under which the requests of a caller are limited: the account, for all its keys and sessions. */
export function principalOf(caller: Caller | undefined): string {
  return (caller && userOf(caller)) ?? actorOf(caller);
}

/** Returns the id of the user for whom the caller acts. Undefined for the operator and for a host. */
export function userOf(caller: Caller): string | undefined {
  return caller.kind === 'operator' || caller.kind === 'host' ? undefined : caller.userId;
}

/**
 * True if the caller may use the scope. A session has the scopes of its role, a key those of its own scopes that the
 * role of its owner includes, a host those of its key.
 */
export function mayUse(caller: Caller, scope: Scope): boolean {
  if (caller.kind === 'host') return caller.scopes.includes(scope);
  if (!hasRole(caller.role, SCOPES[scope].role)) return false;
  return caller.kind !== 'key' || caller.scopes.includes(scope);
}
