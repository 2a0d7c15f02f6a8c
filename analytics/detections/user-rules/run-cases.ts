import type { Detection } from '#schemas/detection.ts';
import { createUserRules } from './engine.ts';
import type { RuleCase } from './rule-cases.ts';
import { CASE_BEGIN_SECONDS } from './rule-cases.ts';
import type { UserRule } from './user-rule.ts';

export interface CaseOutcome {
  readonly name: string;
  readonly line: number;
  readonly expected: number;
  readonly found: number;
  readonly passed: boolean;
}

/** Runs each case of a rule file on a new engine, with the code that judges events in a running service. */
export function runCases(rule: UserRule, source: string): CaseOutcome[] {
  return rule.cases.map((one) => {
    const found = detectionsOf(one, source);
    return { name: one.name, line: one.line, expected: one.detections, found, passed: found === one.detections };
  });
}

function detectionsOf({ events }: RuleCase, source: string): number {
  const engine = createUserRules({ userRules: [{ source, version: 1 }], exceptions: [] });
  if (engine === undefined) return 0;
  const found = new Map<string, Detection>();
  for (const { at, event } of events.toSorted((a, b) => a.at - b.at)) {
    engine.judge(event, { seconds: CASE_BEGIN_SECONDS + at, nanos: 0 });
    for (const detection of engine.drain().changed) found.set(detection.id, detection);
  }
  return found.size;
}
