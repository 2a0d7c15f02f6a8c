import { hasRole, type Role } from '#schemas/api/roles.ts';

/** The operator's policy for a provider: who may sign in, and the meaning of its claims. */
export interface ProviderPolicy {
  /** E-mail domains that may sign in. Undefined: any. A domain does not include its subdomains. */
  readonly allowedDomains?: readonly string[] | undefined;
  /**
   * Who gets an account at the first sign-in.
   * - `registration`: persons that the REGISTRATION setting permits.
   * - `allowed`: every person that the provider may sign in.
   * - `closed`: no person.
   */
  readonly signUp: 'registration' | 'allowed' | 'closed';
  /**
   * To which existing accounts a verified address may be linked.
   * - `unlinked`: only accounts that no other provider is linked to. An administrator of one provider then cannot take
   *   over accounts of another.
   * - `verified-email`: every account with the address.
   * - `never`: none.
   */
  readonly linking: 'unlinked' | 'verified-email' | 'never';
  readonly roles?: RoleMapping | undefined;
  readonly teams?: TeamMapping | undefined;
}

export interface RoleMapping {
  readonly claim: string;
  /** Roles by value of the claim. If several values match, the highest role applies. */
  readonly map: Readonly<Record<string, Role>>;
  /** Role if no value matches. */
  readonly default: Role;
  /** True: people without a matching value are refused. */
  readonly required: boolean;
}

export interface TeamMapping {
  readonly claim: string;
  /** Names of teams by value of the claim. Membership of other teams does not change. */
  readonly map: Readonly<Record<string, string>>;
}

/** Why the provider may not sign in this person. */
export type PolicyRefusal = 'domain-not-allowed' | 'role-required';
/** Why the provider may not link to this account. */
export type LinkRefusal = 'linking-disabled' | 'linked-to-other-provider';

/** Attributes that a provider reported in addition to the address, by claim name. */
export type Attributes = ReadonlyMap<string, readonly string[]>;

/** The policy of the two providers that have separate settings. */
export const DEFAULT_POLICY: ProviderPolicy = { signUp: 'registration', linking: 'verified-email' };

const SETTINGS_PROVIDERS = ['idp', 'codehost'];

/** Returns the names of the claims that a policy reads. */
export function claimsOf({ roles, teams }: ProviderPolicy): string[] {
  return [...new Set([roles?.claim, teams?.claim].filter((claim) => claim !== undefined))];
}

/** True when the domain of an address (lower case) is allowed. */
export function isAllowedDomain({ allowedDomains }: ProviderPolicy, email: string | undefined): boolean {
  if (allowedDomains === undefined) return true;
  return email !== undefined && allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1));
}

/**
 * Returns the role from the claims. Undefined: the provider does not determine roles. `none`: a role is required, and
 * no value matches.
 */
export function mappedRole({ roles }: ProviderPolicy, attributes: Attributes): Role | 'none' | undefined {
  if (roles === undefined) return undefined;
  const given = (attributes.get(roles.claim) ?? []).flatMap((value) => ownValue(roles.map, value) ?? []);
  const [first, ...others] = given;
  if (first === undefined) return roles.required ? 'none' : roles.default;
  return others.reduce<Role>((highest, role) => (hasRole(role, highest) ? role : highest), first);
}

/** Returns the teams of which the claims make a person a member, and the other mapped teams. */
export function mappedTeams(
  { teams }: ProviderPolicy,
  attributes: Attributes,
): { readonly member: readonly string[]; readonly other: readonly string[] } | undefined {
  if (teams === undefined) return undefined;
  const member = new Set((attributes.get(teams.claim) ?? []).flatMap((value) => ownValue(teams.map, value) ?? []));
  const other = new Set(Object.values(teams.map).filter((name) => !member.has(name)));
  return { member: [...member].sort(), other: [...other].sort() };
}

/** True if a person without an account gets one. `registration`: true if the REGISTRATION setting permits the address. */
export function maySignUp({ signUp }: ProviderPolicy, registration: boolean): boolean {
  return signUp === 'registration' ? registration : signUp === 'allowed';
}

/**
 * Returns why a provider may not link to an account with identities of these providers. Undefined if it may. Accounts
 * of a listed provider belong to it: the two providers with separate settings link only to accounts of each other.
 */
export function linkRefusal(
  { linking }: ProviderPolicy,
  provider: string,
  linked: readonly string[],
): LinkRefusal | undefined {
  if (linking === 'never') return 'linking-disabled';
  const foreign = linked.filter((one) => one !== provider);
  const barred = SETTINGS_PROVIDERS.includes(provider)
    ? foreign.some((one) => !SETTINGS_PROVIDERS.includes(one))
    : linking === 'unlinked' && foreign.length > 0;
  return barred ? 'linked-to-other-provider' : undefined;
}

/** Returns the values of a claim. Providers send a string, a list, or numbers; other types have no values. */
export function claimValues(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap((one) => (typeof one === 'string' ? [one] : typeof one === 'number' ? [String(one)] : []));
}

/** Ignores inherited properties, which a claim value could otherwise name. */
function ownValue<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
