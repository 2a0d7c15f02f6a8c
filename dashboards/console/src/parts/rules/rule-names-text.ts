import { catalogue } from '../../language/catalogue.ts';

/** Names of the shipped rules, by id. */
export const RULE_NAMES_TEXT = catalogue('ruleNames', {
  'detector-tampering': 'Detector tampering',
  'fleet-scan': 'Scan spread over hosts',
  'host-risk': 'Risk of a host',
  'instruction-pointer-probe': 'Instruction pointer probe',
  'kernel-fault': 'Fault of the kernel',
  'memory-search': 'Memory search',
  'register-value-probe': 'Register value probe',
  'sensitive-program-crash': 'Crash of a sensitive program',
  'stack-canary-probe': 'Stack canary probe',
  'suppressed-crash-burst': 'Burst of suppressed crash messages',
  'unmapped-jump': 'Jumps to unmapped memory',
} as const);
