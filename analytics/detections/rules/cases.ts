import type { RuleId } from '#schemas/detection.ts';
import { cases as detectorTampering } from './detector-tampering.cases.ts';
import { cases as instructionPointerProbe } from './instruction-pointer-probe.cases.ts';
import { cases as registerValueProbe } from './register-value-probe.cases.ts';
import type { RuleCase } from './rule-case.ts';
import { cases as stackCanaryProbe } from './stack-canary-probe.cases.ts';
import { cases as suppressedCrashBurst } from './suppressed-crash-burst.cases.ts';

/** The stories of every rule: a rule without them does not compile. */
export const RULE_CASES: Readonly<Record<RuleId, readonly RuleCase[]>> = {
  'instruction-pointer-probe': instructionPointerProbe,
  'register-value-probe': registerValueProbe,
  'stack-canary-probe': stackCanaryProbe,
  'suppressed-crash-burst': suppressedCrashBurst,
  'detector-tampering': detectorTampering,
};
