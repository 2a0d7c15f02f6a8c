import { needsApproval } from './check-approvals.ts';
import { type JsonRecord, tasksOf } from './walk.ts';

/**
 * Returns why a run of a definition cannot override the outputs of these steps, and for which step. Returns undefined
 * if it can.
 */
export function overrideProblem(
  steps: readonly string[],
  definition: JsonRecord,
): { readonly message: string; readonly step?: string } | undefined {
  if (steps.length === 0) return undefined;
  // An output for any step could bypass the approval.
  if (needsApproval(definition))
    return { message: 'the workflow has a step that needs an approval: its steps cannot be overridden' };
  // If a name were invalid, the step that the caller wanted to skip would run.
  const names = new Set(tasksOf(definition).map(({ name }) => name));
  const step = steps.find((name) => !names.has(name));
  return step === undefined ? undefined : { message: 'there is no step of this name', step };
}
