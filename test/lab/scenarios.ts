import type { Scenario } from './scenario.ts';
import { ADDRESS_SCANS } from './scenarios/address-scans.ts';
import { BENIGN_CRASHES } from './scenarios/benign-crashes.ts';
import { PAIRS } from './scenarios/pairs.ts';
import { STACK_READINGS } from './scenarios/stack-readings.ts';
import { SURROUNDINGS } from './scenarios/surroundings.ts';

/** All scenarios, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [
  ...ADDRESS_SCANS,
  ...STACK_READINGS,
  ...PAIRS,
  ...BENIGN_CRASHES,
  ...SURROUNDINGS,
];
