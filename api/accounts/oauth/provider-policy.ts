import { hasRole, type Role } from '#schemas/api/roles.ts';

/** What the operator decided about a provider: whom it may let in, and what its claims mean here. */
export interface ProviderPolicy {
  /** Domains of e-mail addresses that may sign in; undefined: any. A domain does not stand for its subdomains. */
  readonly allowedDomains?: readonly string[] | undefined;
  /** Who gets an account at the first sign-in: by the REGISTRATION setting, every person the provider lets in, or no person. */
  readonly signUp: 'registration' | 'allowed' | 'closed';
  /**
   * Which existing account a verified address links to: only one that no other provider is linked to, every one, or none. `unlinked` keeps an
   * administrator of one provider from taking over accounts of another.
   */
  readonly linking: 'unlinked' | 'verified-email' | 'never';
  readonly roles?: RoleMapping | undefined;
  readonly teams?: TeamMapping | undefined;
}

export interface RoleMapping {
  readonly claim: string;
  /** Roles by value of the claim. Of several that apply, the highest counts. */
  readonly map: Readonly<Record<string, Role>>;
  /** Without a value that applies. */
  readonly default: Role;
  /** People without a value that applies are refused. */
  readonly required: boolean;
}

export interface TeamMapping {
  readonly claim: string;
  /** Names of teams by value of the claim. Membership of other teams is not touched. */
  readonly map: Readonly<Record<string, string>>;
}

/** The provider may not let this person in. */
export type PolicyRefusal = 'domain-not-allowed' | 'role-required';
/** The provider may not link to this account. */
export type LinkRefusal = 'linking-disabled' | 'linked-to-other-provider';

/** What a provider said of a person besides the address, by the name of the claim. */
export type Attributes = ReadonlyMap<string, readonly string[]>;

/** The policy of the two providers that have settings of their own. */
export const DEFAULT_POLICY: ProviderPolicy = { signUp: 'registration', linking: 'verified-email' };

const SETTINGS_PROVIDERS = ['idp', 'codehost'];

/** Names of the claims that a policy reads. */
export function claimsOf({ roles, teams }: ProviderPolicy): string[] {
  return [...new Set([roles?.claim, teams?.claim].filter((claim) => claim !== undefined))];
}

/** True when the domain of an address (lower case) is allowed. */
export function isAllowedDomain({ allowedDomains }: ProviderPolicy, email: string | undefined): boolean {
  if (allowedDomains === undefined) return true;
  return email !== undefined && allowedDomains.includes(email.slice(email.lastIndexOf('@') + 1));
}

/** The role that the claims give. Undefined: the provider does not decide roles. `none`: one is required, and no value applies. */
export function mappedRole({ roles }: ProviderPolicy, attributes: Attributes): Role | 'none' | undefined {
  if (roles === undefined) return undefined;
  const given = (attributes.get(roles.claim) ?? []).flatMap((value) => ownValue(roles.map, value) ?? []);
  const [first, ...others] = given;
  if (first === undefined) return roles.required ? 'none' : roles.default;
  return others.reduce<Role>((highest, role) => (hasRole(role, highest) ? role : highest), first);
}

/** Teams the claims make a person a member of, and those that they would but do not. */
export function mappedTeams(
  { teams }: ProviderPolicy,
  attributes: Attributes,
): { readonly member: readonly string[]; readonly other: readonly string[] } | undefined {
  if (teams === undefined) return undefined;
  const member = new Set((attributes.get(teams.claim) ?? []).flatMap((value) => ownValue(teams.map, value) ?? []));
  const other = new Set(Object.values(teams.map).filter((name) => !member.has(name)));
  return { member: [...member].sort(), other: [...other].sort() };
}

/** Whether a person without an account gets one. `registration`: what the REGISTRATION setting says of the address. */
export function maySignUp({ signUp }: ProviderPolicy, registration: boolean): boolean {
  return signUp === 'registration' ? registration : signUp === 'allowed';
}

/**
 * Why a provider may not link to an account that these providers sign in already. Accounts of a provider of the list belong to it: the two
 * providers with settings of their own link only to accounts of each other.
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

/** A claim as texts: providers send one text, a list, or numbers. Anything else is no value. */
export function claimValues(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap((one) => (typeof one === 'string' ? [one] : typeof one === 'number' ? [String(one)] : []));
}

/** A claim cannot name what every object inherits. */
function ownValue<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
