import type { RequestOrigin } from './request-origin.ts';

/** Inputs of the abuse detectors. Each event has an ATT&CK technique. */
export const SECURITY_EVENTS = {
  'credential-stuffing': { technique: 'T1110.004', name: 'Credential Stuffing', tactic: 'credential-access' },
  'password-guessing': { technique: 'T1110.001', name: 'Password Guessing', tactic: 'credential-access' },
  'key-guessing': { technique: 'T1110', name: 'Brute Force', tactic: 'credential-access' },
  'code-guessing': { technique: 'T1110', name: 'Brute Force', tactic: 'credential-access' },
  'account-enumeration': { technique: 'T1087', name: 'Account Discovery', tactic: 'discovery' },
  'endpoint-enumeration': { technique: 'T1595.003', name: 'Wordlist Scanning', tactic: 'reconnaissance' },
  'path-traversal': { technique: 'T1083', name: 'File and Directory Discovery', tactic: 'discovery' },
  injection: { technique: 'T1190', name: 'Exploit Public-Facing Application', tactic: 'initial-access' },
  'request-forgery': { technique: 'T1090', name: 'Proxy', tactic: 'command-and-control' },
  'limit-breach': { technique: 'T1499', name: 'Endpoint Denial of Service', tactic: 'impact' },
  'privilege-escalation': {
    technique: 'T1068',
    name: 'Exploitation for Privilege Escalation',
    tactic: 'privilege-escalation',
  },
} as const;
export type SecurityEventKind = keyof typeof SECURITY_EVENTS;

export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  readonly origin: RequestOrigin;
  /** See `actorOf`. */
  readonly actor?: string;
  /** Route pattern or subject, never a value from the request. */
  readonly subject?: string;
  /**
   * Identifies the target, such as the e-mail address of a sign-in. Failures on many targets are a different attack
   * than many failures on one. A hash of it is kept in memory for a while and never sent elsewhere.
   */
  readonly target?: string;
}

/**
 * Reports one abuse signal, such as one wrong password or key. The receiver decides whether signals of the same address
 * form an incident. Never throws and never blocks.
 */
export type ReportSecurityEvent = (event: SecurityEvent) => void;
