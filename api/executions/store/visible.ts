import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { ExecutionStatus } from '../engine/port.ts';
import { mayChange, type Viewer } from '../viewer.ts';

export interface VisibleExecution {
  readonly kind: 'workflow' | 'agent';
  readonly status: ExecutionStatus;
}

/** Kind and status of an execution; undefined for one that the viewer may not see. Visible are the viewer's own, those of the viewer's workflows and agents, and all for administrators. */
export async function findVisibleExecution(db: Db, viewer: Viewer, id: string): Promise<VisibleExecution | undefined> {
  const { rows } = await sql<
    VisibleExecution & { ownerId: string | null; unitId: string | null; unitOwnerId: string | null }
  >`
    SELECT e.kind, e.status, e.owner_id, coalesce(workflows.id, agents.id) AS unit_id,
      CASE e.kind WHEN 'workflow' THEN workflows.owner_id ELSE agents.owner_id END AS unit_owner_id
    FROM executions AS e
    LEFT JOIN workflows ON workflows.id = e.workflow_id
    LEFT JOIN agents ON agents.id = e.agent_id
    WHERE e.id = ${id}`.execute(db);
  const [found] = rows;
  if (found === undefined) return undefined;
  const own = mayChange(viewer, { ownerId: found.ownerId }) || mayChange(viewer, { ownerId: found.unitOwnerId });
  return own ? { kind: found.kind, status: found.status } : undefined;
}
