import type { SecurityEventKind } from '#api/http/security-events.ts';

/** When signs of one kind from one address are an incident. */
export interface Threshold {
  /** Signs within the window. */
  readonly signs: number;
  readonly windowMs: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * What an honest client does now and then is reported when it repeats; what no honest client does is reported at once. Wrong passwords and codes
 * match the limits of accounts: five lock one.
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

/** Wrong passwords for that many different accounts are not a person with a forgotten password. */
export const STUFFING_ACCOUNTS = 5;
