import type { Role } from '#schemas/api/roles.ts';

/** The step that a sign-in needs after its first factor. */
export type SecondStep =
  /** None: the session opens. */
  | 'none'
  /** A code or a passkey of the account. */
  | 'verify'
  /** The account has no second factor and its role requires one: the user enrols one first. */
  | 'enrol';

/** Decides the second step. `required`: the roles that require a second factor. */
export function secondStepOf(
  { role, hasFactor }: { readonly role: Role; readonly hasFactor: boolean },
  required: readonly Role[],
): SecondStep {
  if (hasFactor) return 'verify';
  return required.includes(role) ? 'enrol' : 'none';
}

/** True if a session of this role may be used. A session without a second factor is rejected if the role requires one. */
export function mayUseSession(
  { role, secondFactor }: { readonly role: Role; readonly secondFactor: boolean },
  required: readonly Role[],
): boolean {
  return secondFactor || !required.includes(role);
}

/** Time after a sign-in or a confirmation during which second factors may be changed. */
export const CONFIRMATION_MS = 10 * 60_000;

/** Returns the time until which a session may change second factors. Null: not now. */
export function confirmedUntil(confirmedAt: Date | null, nowMs: number): Date | null {
  if (confirmedAt === null) return null;
  const until = confirmedAt.getTime() + CONFIRMATION_MS;
  return until > nowMs ? new Date(until) : null;
}
