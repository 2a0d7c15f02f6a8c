import { hasRole, type Role } from '#schemas/api/roles.ts';
import type { ApprovalPolicy } from './policy.ts';

/** The current state of a user, for the rules of an approval. */
export interface Decider {
  readonly username: string;
  readonly role: Role;
  /** Names of the teams of the user. */
  readonly teams: readonly string[];
  /** True if the account is neither disabled nor deleted. */
  readonly active: boolean;
  /** True if the user may decide when no approvers are named: see `approve` in `sharing/permissions.ts`. */
  readonly mayApprove: boolean;
  readonly isStarter: boolean;
  readonly isLastEditor: boolean;
}

/** Why a user may not decide. */
export type DecisionRefusal = 'not-named' | 'starter' | 'last-editor';

/** Returns why this user may not decide, or undefined if they may. `waits.ts` has the same rule as an SQL condition. */
export function refusalOf(policy: ApprovalPolicy | null, decider: Decider): DecisionRefusal | undefined {
  if (!decider.active) return 'not-named';
  if (policy === null) return decider.mayApprove ? undefined : 'not-named';
  const named =
    policy.approvers.length === 0
      ? decider.mayApprove
      : policy.approvers.some((approver) => {
          if ('user' in approver) return approver.user.toLowerCase() === decider.username.toLowerCase();
          if ('team' in approver) return decider.teams.includes(approver.team);
          return hasRole(decider.role, approver.role);
        });
  return named ? exclusionOf(policy, decider) : 'not-named';
}

/** Returns why the policy excludes a caller who could otherwise decide, or undefined if it does not. */
export function exclusionOf(
  policy: ApprovalPolicy | null,
  { isStarter, isLastEditor }: Pick<Decider, 'isStarter' | 'isLastEditor'>,
): DecisionRefusal | undefined {
  if (policy?.except.includes('starter') && isStarter) return 'starter';
  return policy?.except.includes('lastEditor') && isLastEditor ? 'last-editor' : undefined;
}

/**
 * Returns the result of the decisions so far, or undefined if more are needed. One rejection rejects. `policy.count`
 * approvals approve.
 */
export function verdictOf(
  policy: ApprovalPolicy | null,
  decisions: readonly { readonly approved: boolean }[],
): 'approved' | 'rejected' | undefined {
  if (decisions.some(({ approved }) => !approved)) return 'rejected';
  return decisions.length >= (policy?.count ?? 1) ? 'approved' : undefined;
}
