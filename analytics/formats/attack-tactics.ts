import type { Attack } from '#schemas/detection.ts';

/** MITRE ATT&CK Enterprise tactics by id. SIEMs show names; detections contain ids. */
const TACTICS: Readonly<Record<string, string>> = {
  TA0043: 'Reconnaissance',
  TA0042: 'Resource Development',
  TA0001: 'Initial Access',
  TA0002: 'Execution',
  TA0003: 'Persistence',
  TA0004: 'Privilege Escalation',
  TA0005: 'Defense Evasion',
  TA0006: 'Credential Access',
  TA0007: 'Discovery',
  TA0008: 'Lateral Movement',
  TA0009: 'Collection',
  TA0011: 'Command and Control',
  TA0010: 'Exfiltration',
  TA0040: 'Impact',
};

/** Returns the name of a tactic. An unknown id is returned unchanged. */
export function tacticName(id: string): string {
  return TACTICS[id] ?? id;
}

/**
 * Splits a technique: `T1562.006` is sub-technique 006 of T1562. Returns both ids, or only the first if there is no
 * sub-technique.
 */
export function splitTechnique(attack: Attack): {
  readonly technique: string;
  readonly subTechnique: string | undefined;
} {
  const dot = attack.technique.indexOf('.');
  return dot < 0
    ? { technique: attack.technique, subTechnique: undefined }
    : { technique: attack.technique.slice(0, dot), subTechnique: attack.technique };
}
