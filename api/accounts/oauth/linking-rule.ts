import type { ProviderAccount } from './provider.ts';
import type { LinkRefusal, PolicyRefusal } from './provider-policy.ts';

/**
 * The decision about a provider account.
 *
 * | known identity | a user has the address | that user's address is verified | the provider asserts it | decision |
 * |---|---|---|---|---|
 * | yes | – | – | – | sign in, if the account may |
 * | no | yes | yes | yes | link, if the account may, and no other account of that provider is linked to it |
 * | no | yes | no | – | reject: its registrant never proved the address and would share the account |
 * | no | – | – | no | reject: the address may belong to another person |
 * | no | no | – | yes | create, if registration permits |
 *
 * The policy of the provider (domain, role) can reject every row, and its linking policy can reject a link.
 */
export type SignInDecision =
  | { readonly kind: 'sign-in'; readonly userId: string }
  | { readonly kind: 'link'; readonly userId: string; readonly email: string }
  | { readonly kind: 'create'; readonly email: string }
  | { readonly kind: 'reject'; readonly reason: RejectReason; readonly userId?: string };

export type RejectReason =
  | 'account-disabled'
  | 'account-locked'
  | 'email-not-asserted'
  | 'email-not-verified'
  | 'other-identity-linked'
  | 'registration-closed'
  | PolicyRefusal
  | LinkRefusal;

/** The facts about a user that the rule needs. */
export interface KnownUser {
  readonly id: string;
  readonly emailVerified: boolean;
  /** Disabled by an administrator, or past the end date. */
  readonly disabled: boolean;
  /** Temporarily locked after failed sign-ins. */
  readonly locked: boolean;
}

export interface LinkingFacts {
  readonly account: Pick<ProviderAccount, 'email' | 'emailVerified'>;
  /** The user of this identity. */
  readonly identityOwner: KnownUser | undefined;
  /** The user with the address of the provider account. */
  readonly emailOwner: KnownUser | undefined;
  /** True if that user has another identity at the same provider: the provider reassigned the address to another person. */
  readonly emailOwnerLinked: boolean;
  /** True if the REGISTRATION setting permits this address. */
  readonly mayRegister: boolean;
  /** The refusal by the provider policy: of the sign-in, and of a link to the owner of the address. */
  readonly policyRefusal?: PolicyRefusal | undefined;
  readonly linkRefusal?: LinkRefusal | undefined;
}

/** Applies rule 5 of the platform: an account is linked only if both sides have proven the address. */
export function decideSignIn(facts: LinkingFacts): SignInDecision {
  const { account, identityOwner, emailOwner, policyRefusal, linkRefusal } = facts;
  if (policyRefusal !== undefined) return { kind: 'reject', reason: policyRefusal };
  if (identityOwner !== undefined) return unlessBarred(identityOwner, { kind: 'sign-in', userId: identityOwner.id });
  if (account.email === undefined || !account.emailVerified) return { kind: 'reject', reason: 'email-not-asserted' };
  if (emailOwner === undefined) {
    return facts.mayRegister
      ? { kind: 'create', email: account.email }
      : { kind: 'reject', reason: 'registration-closed' };
  }
  const userId = emailOwner.id;
  if (!emailOwner.emailVerified) return { kind: 'reject', reason: 'email-not-verified', userId };
  if (facts.emailOwnerLinked) return { kind: 'reject', reason: 'other-identity-linked', userId };
  if (linkRefusal !== undefined) return { kind: 'reject', reason: linkRefusal, userId };
  return unlessBarred(emailOwner, { kind: 'link', userId, email: account.email });
}

function unlessBarred(user: KnownUser, decision: SignInDecision): SignInDecision {
  if (user.disabled) return { kind: 'reject', reason: 'account-disabled', userId: user.id };
  if (user.locked) return { kind: 'reject', reason: 'account-locked', userId: user.id };
  return decision;
}
