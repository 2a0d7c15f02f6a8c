import { type RawBuilder, sql } from 'kysely';
import { mayDoSql, rolesUpTo } from '#api/sharing/conditions.ts';
import type { Viewer } from '#api/sharing/viewer.ts';

const WORKFLOW = { kind: 'workflow', alias: 'workflows' } as const;
const me = ({ userId }: Viewer) => sql`${userId ?? null}::uuid`;

/** Whether the policy of `guard` (a row of `execution_approvals`) names the viewer. The execution is `e`, its workflow `workflows`. */
function isNamed(viewer: Viewer): RawBuilder<boolean> {
  const own = sql`(SELECT users.id, users.username, users.role FROM users WHERE users.id = ${me(viewer)})`;
  return sql<boolean>`CASE WHEN jsonb_array_length(guard.policy->'approvers') = 0
    THEN ${mayDoSql(viewer, 'approve', WORKFLOW, 'e.owner_id')}
    ELSE EXISTS (
      SELECT FROM ${own} AS own CROSS JOIN jsonb_array_elements(guard.policy->'approvers') AS approver
      WHERE lower(approver->>'user') = lower(own.username)
        OR approver->>'role' = ANY (${rolesUpTo(sql`own.role`)})
        OR approver->>'team' IN (
          SELECT teams.name FROM teams JOIN team_members ON team_members.team_id = teams.id WHERE team_members.user_id = own.id
        )
    ) END`;
}

/** Whether the viewer released the version that runs (`versions`), with a session or a key. */
export function isLastEditor(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.userId === undefined) return sql<boolean>`versions.created_by = 'operator'`;
  return sql<boolean>`(versions.created_by = ${`user:${viewer.userId}`}
    OR versions.created_by IN (SELECT 'key:' || key_id FROM api_keys WHERE user_id = ${me(viewer)}))`;
}

/** Whether the viewer may decide for the wait of `guard`, by its policy: the same as `refusalOf` of `may-decide.ts`. */
export function mayDecideGuarded(viewer: Viewer): RawBuilder<boolean> {
  return sql<boolean>`(${isNamed(viewer)}
    AND NOT (guard.policy->'except' @> '["starter"]' AND e.owner_id IS NOT DISTINCT FROM ${me(viewer)})
    AND NOT (guard.policy->'except' @> '["lastEditor"]' AND ${isLastEditor(viewer)}))`;
}

/** Whether the viewer reads an execution (`e`) as an approver: while it waits for a decision that names the viewer, and after a decision of the viewer. */
export function readsAsApprover(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.userId === undefined) return sql<boolean>`false`;
  return sql<boolean>`(
    EXISTS (
      SELECT FROM execution_approvals AS guard JOIN execution_waits AS w ON w.execution_id = guard.execution_id AND w.wait = guard.wait
      WHERE guard.execution_id = e.id AND ${isNamed(viewer)}
    ) OR EXISTS (SELECT FROM execution_decisions AS d WHERE d.execution_id = e.id AND d.user_id = ${me(viewer)}))`;
}
