import { type CheckedRun, checkRule, type RuleDeps } from './check-rule.ts';
import { type Check, type CheckResult, nameOf } from './checks.ts';
import { type JudgeDeps, judge } from './judge.ts';

export interface ChecksOutcome {
  readonly checks: readonly CheckResult[];
  /** Usage of judges: `judgeInputTokens`, `judgeOutputTokens`, and `judgeCredits` if the cost is known. */
  readonly judgeCost: Readonly<Record<string, number>>;
}

/** Evaluates the checks of a run. Judges are called only if all rules pass, because a failed rule needs no model. */
export async function runChecks(
  checks: readonly Check[],
  run: CheckedRun,
  mayJudge: boolean,
  deps: RuleDeps & JudgeDeps,
): Promise<ChecksOutcome> {
  const results: CheckResult[] = [];
  const costs: Readonly<Record<string, number>>[] = [];
  const named = checks.map((check, index) => ({ check, name: nameOf(check, index) }));
  for (const { check, name } of named)
    if (check.type !== 'judge') results.push({ name, type: check.type, ...(await checkRule(check, run, deps)) });
  const rulesPass = mayJudge && results.every(({ passed }) => passed === true);
  for (const { check, name } of named) {
    if (check.type !== 'judge') continue;
    if (!rulesPass) {
      results.push({ name, type: 'judge', passed: null, message: 'not judged: the run has not passed the rules' });
      continue;
    }
    const { result, cost } = await judge(check, run, deps);
    results.push({ name, type: 'judge', ...result });
    costs.push(cost);
  }
  return { checks: results, judgeCost: judgeCost(costs) };
}

/** Returns whether a run passed: false if anything failed, null if nothing failed but a check was not evaluated. */
export function passedAll(compared: boolean, checks: readonly CheckResult[]): boolean | null {
  if (!compared || checks.some(({ passed }) => passed === false)) return false;
  return checks.some(({ passed }) => passed === null) ? null : true;
}

function judgeCost(costs: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  if (costs.length === 0) return {};
  const sum = (name: string) => costs.reduce((total, cost) => total + (cost[name] ?? 0), 0);
  return {
    judgeInputTokens: sum('inputTokens'),
    judgeOutputTokens: sum('outputTokens'),
    ...(costs.every((cost) => cost.credits !== undefined) ? { judgeCredits: sum('credits') } : {}),
  };
}
