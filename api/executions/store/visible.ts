import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { mayDoSql } from '#api/sharing/conditions.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import type { Execution } from '../tables/executions.ts';
import { readsAsApprover } from './approval-conditions.ts';

export interface VisibleExecution {
  readonly kind: 'workflow' | 'agent';
  /** True if the viewer may also cancel it. */
  readonly mayChange: boolean;
  readonly status: ExecutionStatus;
  /** True if the viewer sees it only by a grant, which can be revoked. */
  readonly byGrant: boolean;
}

const WORKFLOW = { kind: 'workflow', alias: 'workflows' } as const;
const AGENT = { kind: 'agent', alias: 'agents' } as const;

/** Returns kind and status of an execution; undefined if the viewer may not see it. */
export async function findVisibleExecution(db: Db, viewer: Viewer, id: string): Promise<VisibleExecution | undefined> {
  const me = sql`${viewer.userId ?? null}::uuid`;
  const { rows } = await sql<VisibleExecution>`
    SELECT e.kind, e.status, CASE e.kind
        WHEN 'workflow' THEN ${mayDoSql(viewer, 'change-execution', WORKFLOW, 'e.owner_id')}
        ELSE ${mayDoSql(viewer, 'change-execution', AGENT, 'e.owner_id')} END AS may_change,
      NOT ${viewer.administrator}::boolean
      AND e.owner_id IS DISTINCT FROM ${me} AND coalesce(workflows.owner_id, agents.owner_id) IS DISTINCT FROM ${me} AS by_grant
    FROM executions AS e
    LEFT JOIN workflows ON workflows.id = e.workflow_id
    LEFT JOIN agents ON agents.id = e.agent_id
    WHERE e.id = ${id} AND CASE e.kind
      WHEN 'workflow' THEN (${mayDoSql(viewer, 'view-execution', WORKFLOW, 'e.owner_id')} OR ${readsAsApprover(viewer)})
      ELSE ${mayDoSql(viewer, 'view-execution', AGENT, 'e.owner_id')} END`.execute(db);
  return rows[0];
}

/** An execution of either kind, with the slug of its workflow or agent. */
export type NamedExecution = Pick<
  Execution,
  | 'id'
  | 'kind'
  | 'workflowId'
  | 'agentId'
  | 'status'
  | 'triggerType'
  | 'triggerInput'
  | 'triggerInputFile'
  | 'result'
  | 'resultFile'
  | 'error'
  | 'sourceExecutionId'
  | 'createdAt'
  | 'startedAt'
  | 'completedAt'
  | 'cancelRequestedAt'
> & { readonly name: string };

/** Reads an execution without a permission check: `findVisibleExecution` decides who may read it. */
export async function readExecution(db: Db, id: string): Promise<NamedExecution | undefined> {
  const { rows } = await sql<NamedExecution>`
    SELECT e.id, e.kind, e.workflow_id, e.agent_id, e.status, e.trigger_type, e.trigger_input, e.trigger_input_file, e.result, e.result_file,
      e.error, e.source_execution_id, e.created_at, e.started_at, e.completed_at, e.cancel_requested_at,
      coalesce(workflows.slug, agents.slug) AS name
    FROM executions AS e
    LEFT JOIN workflows ON workflows.id = e.workflow_id
    LEFT JOIN agents ON agents.id = e.agent_id
    WHERE e.id = ${id}`.execute(db);
  return rows[0];
}
