import type { ProviderAccount } from './provider.ts';
import type { LinkRefusal, PolicyRefusal } from './provider-policy.ts';

/**
 * Who a provider's account is to us.
 *
 * | known identity | a user has the address | that user's address is verified | the provider asserts it | decision |
 * |---|---|---|---|---|
 * | yes | – | – | – | sign in, if the account may |
 * | no | yes | yes | yes | link, if the account may, and no other account of that provider is linked to it |
 * | no | yes | no | – | reject: the person who registered the address without proof would get into the account of its owner |
 * | no | – | – | no | reject: the address may belong to another person |
 * | no | no | – | yes | create, if registration permits |
 *
 * What the policy of the provider refuses (domain, role) is refused in every row, and a link also when the policy refuses it.
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

/** What the rule needs to know of a user. */
export interface KnownUser {
  readonly id: string;
  readonly emailVerified: boolean;
  /** By an administrator, or by an end date that has come. */
  readonly disabled: boolean;
  /** After failed sign-ins, for now. */
  readonly locked: boolean;
}

export interface LinkingFacts {
  readonly account: Pick<ProviderAccount, 'email' | 'emailVerified'>;
  /** Whom this identity signs in. */
  readonly identityOwner: KnownUser | undefined;
  /** Who has the account's address. */
  readonly emailOwner: KnownUser | undefined;
  /** That user has another identity at the same provider: the address went from one person to another there. */
  readonly emailOwnerLinked: boolean;
  /** Whether the REGISTRATION setting lets this address in. */
  readonly mayRegister: boolean;
  /** What the policy of the provider says of the person, and of a link to the owner of the address. */
  readonly policyRefusal?: PolicyRefusal | undefined;
  readonly linkRefusal?: LinkRefusal | undefined;
}

/** Rule 5 of the platform: an account is linked only when both sides have proven the address. */
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
