import { describe, expect, test } from 'vitest';
import {
  claimsOf,
  claimValues,
  isAllowedDomain,
  linkRefusal,
  mappedRole,
  mappedTeams,
  maySignUp,
  type ProviderPolicy,
} from '#api/accounts/oauth/provider-policy.ts';

const POLICY: ProviderPolicy = {
  allowedDomains: ['example.org'],
  signUp: 'allowed',
  linking: 'unlinked',
  roles: { claim: 'groups', map: { soc: 'analyst', ops: 'admin', all: 'user' }, default: 'user', required: false },
  teams: { claim: 'teams', map: { red: 'Red team', blue: 'Blue team', both: 'Blue team' } },
};
const groups = (...values: string[]) => new Map([['groups', values]]);
const teams = (...values: string[]) => new Map([['teams', values]]);

describe('the policy of a provider', () => {
  test('a domain does not include its subdomains', () => {
    expect(isAllowedDomain(POLICY, 'a@example.org')).toBe(true);
    expect(isAllowedDomain(POLICY, 'a@sub.example.org')).toBe(false);
    expect(isAllowedDomain(POLICY, 'a@example.org.evil.example')).toBe(false);
    expect(isAllowedDomain(POLICY, 'example.org@evil.example')).toBe(false);
    expect(isAllowedDomain(POLICY, undefined)).toBe(false);
    expect(isAllowedDomain({ ...POLICY, allowedDomains: undefined }, undefined)).toBe(true);
  });

  test('uses the highest role of the claim, and ignores inherited properties', () => {
    expect(mappedRole(POLICY, groups('all', 'ops', 'soc'))).toBe('admin');
    expect(mappedRole(POLICY, groups('soc', 'all'))).toBe('analyst');
    expect(mappedRole(POLICY, groups('constructor', '__proto__', 'OPS'))).toBe('user');
    expect(mappedRole(POLICY, new Map())).toBe('user');
    expect(mappedRole({ ...POLICY, roles: undefined }, groups('ops'))).toBeUndefined();
    const roles = { ...POLICY.roles, required: true } as ProviderPolicy['roles'];
    expect(mappedRole({ ...POLICY, roles }, groups('others'))).toBe('none');
  });

  test('keeps teams that no value maps to', () => {
    expect(mappedTeams(POLICY, teams('both', 'toString'))).toEqual({ member: ['Blue team'], other: ['Red team'] });
    expect(mappedTeams(POLICY, new Map())).toEqual({ member: [], other: ['Blue team', 'Red team'] });
    expect(mappedTeams({ ...POLICY, teams: undefined }, teams('red'))).toBeUndefined();
  });

  test.each<[ProviderPolicy['linking'], string, string[], string | undefined]>([
    ['unlinked', 'staff', [], undefined],
    ['unlinked', 'staff', ['staff'], undefined],
    ['unlinked', 'staff', ['idp'], 'linked-to-other-provider'],
    ['unlinked', 'staff', ['partners'], 'linked-to-other-provider'],
    ['verified-email', 'staff', ['partners'], undefined],
    ['never', 'staff', [], 'linking-disabled'],
    ['verified-email', 'idp', ['codehost'], undefined],
    ['verified-email', 'idp', ['staff'], 'linked-to-other-provider'],
  ])('linking %s by %s of an account of %j: %s', (linking, provider, linked, refusal) => {
    expect(linkRefusal({ ...POLICY, linking }, provider, linked)).toBe(refusal);
  });

  test('sign-up, names of claims and their values', () => {
    expect(maySignUp({ ...POLICY, signUp: 'registration' }, true)).toBe(true);
    expect(maySignUp({ ...POLICY, signUp: 'registration' }, false)).toBe(false);
    expect(maySignUp(POLICY, false)).toBe(true);
    expect(maySignUp({ ...POLICY, signUp: 'closed' }, true)).toBe(false);
    expect(claimsOf(POLICY)).toEqual(['groups', 'teams']);
    expect(claimValues(['a', 1, null, { b: 2 }])).toEqual(['a', '1']);
    expect(claimValues('a')).toEqual(['a']);
    expect(claimValues(undefined)).toEqual([]);
  });
});
