import type { SecurityEventKind } from '#api/http/security-events.ts';

/** Number of signals of one kind from one address that form an incident. */
export interface Threshold {
  /** Number of signals within the window. */
  readonly signs: number;
  readonly windowMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * Signals that honest clients occasionally cause are reported when they repeat; all others are reported immediately.
 * Wrong passwords and codes match the limits of accounts: five lock one.
 */
export const ABUSE_THRESHOLDS: Readonly<Record<SecurityEventKind, Threshold>> = {
  'credential-stuffing': { signs: 1, windowMs: 10 * MINUTE },
  'password-guessing': { signs: 5, windowMs: 10 * MINUTE },
  'code-guessing': { signs: 5, windowMs: 10 * MINUTE },
  'key-guessing': { signs: 10, windowMs: MINUTE },
  'account-enumeration': { signs: 10, windowMs: 10 * MINUTE },
  'endpoint-enumeration': { signs: 20, windowMs: MINUTE },
  'privilege-escalation': { signs: 3, windowMs: 10 * MINUTE },
  'path-traversal': { signs: 1, windowMs: MINUTE },
  injection: { signs: 1, windowMs: MINUTE },
  'request-forgery': { signs: 1, windowMs: MINUTE },
  'limit-breach': { signs: 1, windowMs: MINUTE },
};

/** Number of accounts with wrong passwords that exceeds a person with a forgotten password. */
export const STUFFING_ACCOUNTS = 5;
