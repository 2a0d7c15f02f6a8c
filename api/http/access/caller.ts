import { hasRole, type Role, SCOPES, type Scope } from '#schemas/api/roles.ts';

/** Who makes a request, as looked up when it came in. */
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
  /** Undefined: none. */
  readonly restrictions?: KeyRestrictions;
}

/** What a key is limited to beyond its scopes. */
export interface KeyRestrictions {
  /** Addresses or networks it may be used from; empty: any. */
  readonly networks: readonly string[];
  /** `workflow:<id or name>`, `agent:<id or name>`; empty: all. */
  readonly resources: readonly string[];
  readonly requestsPerMinute: number | null;
  readonly requestsPerDay: number | null;
}

/** The detector of an enrolled host, with the key of this host. The key belongs to no user. */
export interface HostCaller {
  readonly kind: 'host';
  /** Roles are those of users. */
  readonly role: null;
  /** The only host whose events it may send. */
  readonly hostname: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}

/** The operator of the machine: can read the data directory, so the command line on this machine acts as it. */
export interface OperatorCaller {
  readonly kind: 'operator';
  readonly role: 'admin';
  readonly keyId: string;
}

/** Names the caller in audit entries and logs. */
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

/** Whose share of a limit a caller uses: that of the account, whatever key or session of it. */
export function principalOf(caller: Caller | undefined): string {
  return (caller && userOf(caller)) ?? actorOf(caller);
}

/** The user in whose name the caller acts; undefined for the operator and for a host. */
export function userOf(caller: Caller): string | undefined {
  return caller.kind === 'operator' || caller.kind === 'host' ? undefined : caller.userId;
}

/** Sessions may do what their role may; a key of a user only what is in its scopes too; a host what is in the scopes of its key. */
export function mayUse(caller: Caller, scope: Scope): boolean {
  if (caller.kind === 'host') return caller.scopes.includes(scope);
  if (!hasRole(caller.role, SCOPES[scope].role)) return false;
  return caller.kind !== 'key' || caller.scopes.includes(scope);
}
