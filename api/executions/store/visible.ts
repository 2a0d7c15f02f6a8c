import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { mayDoSql } from '#api/sharing/conditions.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import type { ExecutionStatus } from '../engine/port.ts';
import { readsAsApprover } from './approval-conditions.ts';

export interface VisibleExecution {
  readonly kind: 'workflow' | 'agent';
  readonly status: ExecutionStatus;
  /** The viewer neither started it nor owns what it is of: a grant can be taken away. */
  readonly byGrant: boolean;
}

const WORKFLOW = { kind: 'workflow', alias: 'workflows' } as const;
const AGENT = { kind: 'agent', alias: 'agents' } as const;

/** Kind and status of an execution; undefined for one that the viewer may not see. */
export async function findVisibleExecution(db: Db, viewer: Viewer, id: string): Promise<VisibleExecution | undefined> {
  const me = sql`${viewer.userId ?? null}::uuid`;
  const { rows } = await sql<VisibleExecution>`
    SELECT e.kind, e.status, NOT ${viewer.administrator}::boolean
      AND e.owner_id IS DISTINCT FROM ${me} AND coalesce(workflows.owner_id, agents.owner_id) IS DISTINCT FROM ${me} AS by_grant
    FROM executions AS e
    LEFT JOIN workflows ON workflows.id = e.workflow_id
    LEFT JOIN agents ON agents.id = e.agent_id
    WHERE e.id = ${id} AND CASE e.kind
      WHEN 'workflow' THEN (${mayDoSql(viewer, 'view-execution', WORKFLOW, 'e.owner_id')} OR ${readsAsApprover(viewer)})
      ELSE ${mayDoSql(viewer, 'view-execution', AGENT, 'e.owner_id')} END`.execute(db);
  return rows[0];
}
