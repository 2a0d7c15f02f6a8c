import { type Approver, policyOf, policyProblems } from '#api/executions/approvals/policy.ts';
import { type DefinitionIssue, problem } from './issue.ts';
import type { Reference } from './references-of.ts';
import { type JsonRecord, tasksOf } from './walk.ts';

/** Validates the approvals in a definition. */
export function checkApprovals(definition: JsonRecord): DefinitionIssue[] {
  return tasksOf(definition).flatMap(({ task, path }) =>
    policyProblems(task).map((found) => problem([...path, ...found.path], found.message)),
  );
}

/** Returns true if a step of the definition needs an approval. */
export function needsApproval(definition: JsonRecord): boolean {
  return tasksOf(definition).some(({ task }) => policyOf(task) !== undefined);
}

/** Returns the users and teams that steps name as approvers, with their paths. */
export function namedApprovers(definition: JsonRecord): {
  readonly users: readonly Reference[];
  readonly teams: readonly Reference[];
} {
  const named = tasksOf(definition).flatMap(({ task, path }) =>
    (policyOf(task)?.approvers ?? []).map((approver, index) => ({
      approver,
      path: [...path, 'metadata', 'approval', 'approvers', index],
    })),
  );
  const those = (kind: 'user' | 'team') =>
    named.flatMap(({ approver, path }) => {
      const name = (approver as Partial<Record<'user' | 'team', string>> & Approver)[kind as never] as
        | string
        | undefined;
      return name === undefined ? [] : [{ name, path: [...path, kind] }];
    });
  return { users: those('user'), teams: those('team') };
}
