import { describe, expect, test } from 'vitest';
import { decideSignIn, type KnownUser, type LinkingFacts } from '#api/accounts/oauth/linking-rule.ts';

const USER: KnownUser = { id: 'u1', emailVerified: true, disabled: false, locked: false };
const OTHER: KnownUser = { ...USER, id: 'u2' };
const FACTS: LinkingFacts = {
  account: { email: 'a@example.org', emailVerified: true },
  identityOwner: undefined,
  emailOwner: undefined,
  emailOwnerLinked: false,
  mayRegister: true,
};
const UNVERIFIED = { email: 'a@example.org', emailVerified: false };
const NO_EMAIL = { email: undefined, emailVerified: false };
/** Claims of a provider that contradict each other. */
const ASSERTED_NOTHING = { email: undefined, emailVerified: true };

describe('the linking rule (rule 5)', () => {
  test.each<[string, Partial<LinkingFacts>, object]>([
    ['known identity', { identityOwner: USER, emailOwner: USER }, { kind: 'sign-in', userId: 'u1' }],
    ['known identity, address gone', { identityOwner: USER, account: NO_EMAIL }, { kind: 'sign-in', userId: 'u1' }],
    [
      'known identity, not asserted',
      { identityOwner: USER, account: UNVERIFIED, emailOwner: OTHER },
      { kind: 'sign-in', userId: 'u1' },
    ],
    [
      "known identity, now with another's address",
      { identityOwner: USER, emailOwner: OTHER },
      { kind: 'sign-in', userId: 'u1' },
    ],
    [
      'known identity, disabled',
      { identityOwner: { ...USER, disabled: true } },
      { kind: 'reject', reason: 'account-disabled', userId: 'u1' },
    ],
    [
      'known identity, locked',
      { identityOwner: { ...USER, locked: true } },
      { kind: 'reject', reason: 'account-locked', userId: 'u1' },
    ],
    [
      'known identity, registration closed',
      { identityOwner: USER, mayRegister: false },
      { kind: 'sign-in', userId: 'u1' },
    ],
    ['both verified', { emailOwner: USER }, { kind: 'link', userId: 'u1', email: 'a@example.org' }],
    [
      'both verified, registration closed',
      { emailOwner: USER, mayRegister: false },
      { kind: 'link', userId: 'u1', email: 'a@example.org' },
    ],
    [
      'user not verified',
      { emailOwner: { ...USER, emailVerified: false } },
      { kind: 'reject', reason: 'email-not-verified', userId: 'u1' },
    ],
    [
      'provider does not assert',
      { emailOwner: USER, account: UNVERIFIED },
      { kind: 'reject', reason: 'email-not-asserted' },
    ],
    [
      'neither',
      { emailOwner: { ...USER, emailVerified: false }, account: UNVERIFIED },
      { kind: 'reject', reason: 'email-not-asserted' },
    ],
    [
      'both verified, disabled',
      { emailOwner: { ...USER, disabled: true } },
      { kind: 'reject', reason: 'account-disabled', userId: 'u1' },
    ],
    [
      'both verified, locked',
      { emailOwner: { ...USER, locked: true } },
      { kind: 'reject', reason: 'account-locked', userId: 'u1' },
    ],
    [
      'address passed on to another person there',
      { emailOwner: USER, emailOwnerLinked: true },
      { kind: 'reject', reason: 'other-identity-linked', userId: 'u1' },
    ],
    ['no user', {}, { kind: 'create', email: 'a@example.org' }],
    ['no user, not asserted', { account: UNVERIFIED }, { kind: 'reject', reason: 'email-not-asserted' }],
    ['no user, no address', { account: NO_EMAIL }, { kind: 'reject', reason: 'email-not-asserted' }],
    ['no user, asserted nothing', { account: ASSERTED_NOTHING }, { kind: 'reject', reason: 'email-not-asserted' }],
    ['no user, registration closed', { mayRegister: false }, { kind: 'reject', reason: 'registration-closed' }],
  ])('%s', (_name, change, decision) => {
    expect(decideSignIn({ ...FACTS, ...change })).toEqual(decision);
  });

  test('never links or creates without both proofs, whatever the rest', () => {
    const truths = [false, true];
    for (const asserted of truths)
      for (const proven of truths)
        for (const exists of truths)
          for (const linked of truths)
            for (const mayRegister of truths) {
              const { kind } = decideSignIn({
                account: { email: 'a@example.org', emailVerified: asserted },
                identityOwner: undefined,
                emailOwner: exists ? { ...USER, emailVerified: proven } : undefined,
                emailOwnerLinked: linked,
                mayRegister,
              });
              if (!asserted || (exists && !proven)) expect(kind).toBe('reject');
            }
  });
});
