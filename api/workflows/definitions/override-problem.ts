import { needsApproval } from './check-approvals.ts';
import { type JsonRecord, tasksOf } from './walk.ts';

/** Why outputs for these steps cannot be given to a run of a definition, and for which step; undefined when they can. */
export function overrideProblem(
  steps: readonly string[],
  definition: JsonRecord,
): { readonly message: string; readonly step?: string } | undefined {
  if (steps.length === 0) return undefined;
  // With an output for any step, the run would go on as if the decision had been another.
  if (needsApproval(definition))
    return { message: 'the workflow has a step that needs an approval: its steps cannot be overridden' };
  // With an invalid name, the step that the caller wanted to skip would run.
  const names = new Set(tasksOf(definition).map(({ name }) => name));
  const step = steps.find((name) => !names.has(name));
  return step === undefined ? undefined : { message: 'there is no step of this name', step };
}
