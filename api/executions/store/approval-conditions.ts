import { type RawBuilder, sql } from 'kysely';
import { mayDoSql, rolesUpTo } from '#api/sharing/conditions.ts';
import type { Viewer } from '#api/sharing/viewer.ts';

const WORKFLOW = { kind: 'workflow', alias: 'workflows' } as const;
const AGENT = { kind: 'agent', alias: 'agents' } as const;

/**
 * SQL joins that the conditions need for an execution (`e`): its workflow or agent, and as `versions` the running
 * version with its author. Columns of the other kind are NULL.
 */
export const UNIT_OF_EXECUTION = sql`
  LEFT JOIN workflows ON workflows.id = e.workflow_id
  LEFT JOIN agents ON agents.id = e.agent_id
  LEFT JOIN LATERAL (
    SELECT released.created_by, released.definition FROM workflow_versions AS released WHERE released.id = e.version_id
    UNION ALL
    SELECT workspace.author, NULL FROM agent_executions AS run
    JOIN agent_versions AS workspace ON workspace.agent_id = run.agent_id AND workspace.version = run.workspace_version
    WHERE e.kind = 'agent' AND run.execution_id = e.id
  ) AS versions ON true`;

/** SQL condition: the viewer may decide for an execution (`e`) if no approvers are named. Needs `UNIT_OF_EXECUTION`. */
export function mayAnswer(viewer: Viewer): RawBuilder<boolean> {
  return sql<boolean>`CASE e.kind WHEN 'workflow' THEN ${mayDoSql(viewer, 'approve', WORKFLOW, 'e.owner_id')}
    ELSE ${mayDoSql(viewer, 'approve', AGENT, 'e.owner_id')} END`;
}
const me = ({ userId }: Viewer) => sql`${userId ?? null}::uuid`;

/**
 * SQL condition: the policy of `guard` (a row of `execution_approvals`) names the viewer. `unnamed`: condition to use
 * if it names no approvers.
 */
function isNamed(viewer: Viewer, unnamed: RawBuilder<boolean>): RawBuilder<boolean> {
  const own = sql`(SELECT users.id, users.username, users.role FROM users WHERE users.id = ${me(viewer)})`;
  return sql<boolean>`CASE WHEN jsonb_array_length(guard.policy->'approvers') = 0
    THEN ${unnamed}
    ELSE EXISTS (
      SELECT FROM ${own} AS own CROSS JOIN jsonb_array_elements(guard.policy->'approvers') AS approver
      WHERE lower(approver->>'user') = lower(own.username)
        OR approver->>'role' = ANY (${rolesUpTo(sql`own.role`)})
        OR approver->>'team' IN (
          SELECT teams.name FROM teams JOIN team_members ON team_members.team_id = teams.id WHERE team_members.user_id = own.id
        )
    ) END`;
}

/** SQL condition: the viewer is the author of the running version (`versions`), by session or key. */
export function isLastEditor(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.userId === undefined) return sql<boolean>`versions.created_by = 'operator'`;
  return sql<boolean>`(versions.created_by = ${`user:${viewer.userId}`}
    OR versions.created_by IN (SELECT 'key:' || key_id FROM api_keys WHERE user_id = ${me(viewer)}))`;
}

/**
 * SQL condition: the viewer may decide for the wait of `guard` by its policy. Same rule as `refusalOf` in
 * `may-decide.ts`. Needs `UNIT_OF_EXECUTION`.
 */
export function mayDecideGuarded(viewer: Viewer): RawBuilder<boolean> {
  return sql<boolean>`(${isNamed(viewer, mayAnswer(viewer))}
    AND NOT (guard.policy->'except' @> '["starter"]' AND e.owner_id IS NOT DISTINCT FROM ${me(viewer)})
    AND NOT (guard.policy->'except' @> '["lastEditor"]' AND ${isLastEditor(viewer)}))`;
}

/**
 * SQL condition: the viewer may read an execution (`e`) of a workflow (`workflows`) as an approver. This holds while it
 * waits for a decision that names the viewer, and after a decision of the viewer.
 */
export function readsAsApprover(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.userId === undefined) return sql<boolean>`false`;
  return sql<boolean>`(
    EXISTS (
      SELECT FROM execution_approvals AS guard JOIN execution_waits AS w ON w.execution_id = guard.execution_id AND w.wait = guard.wait
      WHERE guard.execution_id = e.id AND ${isNamed(viewer, mayDoSql(viewer, 'approve', WORKFLOW, 'e.owner_id'))}
    ) OR EXISTS (SELECT FROM execution_decisions AS d WHERE d.execution_id = e.id AND d.user_id = ${me(viewer)}))`;
}
