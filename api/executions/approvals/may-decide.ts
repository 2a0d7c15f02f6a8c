import { hasRole, type Role } from '#schemas/api/roles.ts';
import type { ApprovalPolicy } from './policy.ts';

/** A user as the rules of an approval see it, at this moment. */
export interface Decider {
  readonly username: string;
  readonly role: Role;
  /** Names of the teams that the user is a member of. */
  readonly teams: readonly string[];
  /** The account is not disabled, and has not ended. */
  readonly active: boolean;
  /** May decide where no approvers are named: see `approve` in `sharing/permissions.ts`. */
  readonly mayApprove: boolean;
  readonly isStarter: boolean;
  readonly isLastEditor: boolean;
}

/** Why a user may not decide. */
export type DecisionRefusal = 'not-named' | 'starter' | 'last-editor';

/** Whether this user may decide; undefined: yes. `waits.ts` says the same as a condition of SQL. */
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

/** Whether the policy excludes a caller who may decide otherwise; undefined: it does not. */
export function exclusionOf(
  policy: ApprovalPolicy | null,
  { isStarter, isLastEditor }: Pick<Decider, 'isStarter' | 'isLastEditor'>,
): DecisionRefusal | undefined {
  if (policy?.except.includes('starter') && isStarter) return 'starter';
  return policy?.except.includes('lastEditor') && isLastEditor ? 'last-editor' : undefined;
}

/** What the decisions so far mean: one rejection ends it, enough approvals too; undefined: more are needed. */
export function verdictOf(
  policy: ApprovalPolicy | null,
  decisions: readonly { readonly approved: boolean }[],
): 'approved' | 'rejected' | undefined {
  if (decisions.some(({ approved }) => !approved)) return 'rejected';
  return decisions.length >= (policy?.count ?? 1) ? 'approved' : undefined;
}
