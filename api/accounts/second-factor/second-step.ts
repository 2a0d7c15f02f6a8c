import type { Role } from '#schemas/api/roles.ts';

/** What a sign-in still needs after its first factor. */
export type SecondStep =
  /** Nothing: the session opens. */
  | 'none'
  /** A code or a passkey of the account. */
  | 'verify'
  /** The account has no second factor and its role requires one: the user enrols one first. */
  | 'enrol';

/** Decides the second step. `required`: the roles that need a second factor. */
export function secondStepOf(
  { role, hasFactor }: { readonly role: Role; readonly hasFactor: boolean },
  required: readonly Role[],
): SecondStep {
  if (hasFactor) return 'verify';
  return required.includes(role) ? 'enrol' : 'none';
}

/** Whether a session of this role may be used. One that was opened before the role needed a second factor may not. */
export function mayUseSession(
  { role, secondFactor }: { readonly role: Role; readonly secondFactor: boolean },
  required: readonly Role[],
): boolean {
  return secondFactor || !required.includes(role);
}

/** How long a sign-in, or a repeated password, permits changes of the second factors of an account. */
export const CONFIRMATION_MS = 10 * 60_000;

/** Until when a session may change second factors; null: not now. */
export function confirmedUntil(confirmedAt: Date | null, nowMs: number): Date | null {
  if (confirmedAt === null) return null;
  const until = confirmedAt.getTime() + CONFIRMATION_MS;
  return until > nowMs ? new Date(until) : null;
}
