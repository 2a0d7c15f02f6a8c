import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { grantedUnits } from '#api/sharing/conditions.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import type { ApprovalPolicy } from '../approvals/policy.ts';
import type { EventFilter } from '../engine/contract/cloud-event.ts';
import type { JsonValue } from '../json-value.ts';
import { mayAnswer, mayDecideGuarded, UNIT_OF_EXECUTION } from './approval-conditions.ts';
import { OPERATOR_LANE } from './queue-position.ts';

/** An execution that waits for an event, with the data a person needs to respond. */
export interface ListedWait {
  readonly executionId: string;
  readonly wait: string;
  readonly step: string;
  readonly mode: 'all' | 'any' | 'one';
  readonly filters: readonly EventFilter[];
  readonly createdAt: Date;
  readonly kind: 'workflow' | 'agent';
  /** Id of the workflow or agent. */
  readonly unitId: string;
  readonly slug: string;
  readonly title: string | null;
  readonly summary: string | null;
  /** Also null if it is too large for a list. */
  readonly input: JsonValue;
  /** Approval policy. If null, any matching event continues the wait. */
  readonly policy: ApprovalPolicy | null;
  /**
   * For an agent: the tool call to approve, as JSON text without secrets. Its contents come from the agent and are
   * untrusted.
   */
  readonly toolCall: {
    readonly tool: string;
    readonly arguments: string;
    readonly truncated: boolean;
    readonly expiresAt: string;
  } | null;
  /** Decisions so far, oldest first. */
  readonly decisions: readonly { readonly by: string; readonly approved: boolean; readonly note: string | null }[];
  /** True if the viewer may decide and has not decided yet. */
  readonly mayDecide: boolean;
}

/** The last wait of the previous page. */
export type WaitPlace = Pick<ListedWait, 'executionId' | 'wait'>;

/** Maximum size of the compressed column. */
const LISTED_BYTES = 16 * 1024;
const COLUMNS = sql`w.execution_id, w.wait`;
const GUARDED = sql`EXISTS (SELECT FROM execution_approvals AS g WHERE g.execution_id = w.execution_id AND g.wait = w.wait)`;

/**
 * Returns the waits that the viewer may decide, newest executions first. These are waits that name the viewer. If no
 * approvers are named, they are the viewer's own waits, those of workflows that the viewer may approve by a grant, and
 * all waits for administrators.
 */
export async function listWaits(
  db: Db,
  viewer: Viewer,
  { limit, after }: { readonly limit: number; readonly after: WaitPlace | undefined },
): Promise<ListedWait[]> {
  const chosen = await chosenWaits(db, viewer, limit, after);
  const { rows } = await sql<ListedWait>`WITH chosen AS (${chosen}) ${details(viewer, sql`true`)}`.execute(db);
  return rows;
}

/**
 * Counts the waits that the viewer may decide, up to `atMost`. Excludes waits that only the service itself continues.
 */
export async function countWaits(db: Db, viewer: Viewer, atMost: number): Promise<number> {
  const decidable = sql`AND EXISTS (SELECT FROM unnest(w.event_types) AS type WHERE type NOT LIKE 'trapline.%')`;
  const chosen = await chosenWaits(db, viewer, atMost, undefined, decidable);
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM (${chosen}) AS chosen`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Returns the waits of an execution. The caller must have checked its visibility. */
export async function waitsOfExecution(db: Db, viewer: Viewer, executionId: string): Promise<ListedWait[]> {
  const { rows } = await sql<ListedWait>`
    WITH chosen AS (SELECT ${COLUMNS} FROM execution_waits AS w WHERE w.execution_id = ${executionId})
    ${details(viewer, mayAnswer(viewer))}`.execute(db);
  return rows;
}

/** `unguarded`: SQL condition that the viewer may decide if no approvers are named. */
function details(viewer: Viewer, unguarded: RawBuilder<boolean>): RawBuilder<ListedWait> {
  const decided = sql`SELECT FROM execution_decisions AS d WHERE d.execution_id = w.execution_id AND d.wait = w.wait`;
  return sql<ListedWait>`
    SELECT w.execution_id, w.wait, w.step, w.mode, w.filters, w.created_at, e.kind, coalesce(workflows.id, agents.id) AS unit_id,
      coalesce(workflows.slug, agents.slug) AS slug, coalesce(versions.definition->'document'->>'title', agents.name) AS title,
      coalesce(versions.definition->'document'->>'summary', agents.description) AS summary,
      CASE WHEN pg_column_size(e.trigger_input) <= ${LISTED_BYTES} THEN e.trigger_input END AS input,
      guard.policy,
      (SELECT json_build_object('tool', c.tool, 'arguments', c.arguments, 'truncated', c.truncated, 'expiresAt', c.expires_at)
        FROM agent_tool_approvals AS c WHERE c.execution_id = w.execution_id AND c.wait = w.wait) AS tool_call,
      coalesce((
        SELECT json_agg(json_build_object('by', d.username, 'approved', d.approved, 'note', d.note) ORDER BY d.decided_at)
        FROM execution_decisions AS d WHERE d.execution_id = w.execution_id AND d.wait = w.wait
      ), '[]'::json) AS decisions,
      CASE WHEN guard.policy IS NULL THEN ${unguarded} ELSE ${mayDecideGuarded(viewer)} END
        AND NOT EXISTS (${decided} AND (d.final OR d.decider = ${deciderOf(viewer)})) AS may_decide
    FROM chosen JOIN execution_waits AS w USING (execution_id, wait)
    LEFT JOIN execution_approvals AS guard ON guard.execution_id = w.execution_id AND guard.wait = w.wait
    JOIN executions AS e ON e.id = w.execution_id ${UNIT_OF_EXECUTION}
    WHERE e.completed_at IS NULL
    ORDER BY w.execution_id DESC, w.wait`;
}

/** Returns the rows (execution, wait) of a page. Each kind of permission reads its own index, limited to the page. */
async function chosenWaits(
  db: Db,
  viewer: Viewer,
  limit: number,
  after: WaitPlace | undefined,
  more: RawBuilder<unknown> = sql``,
): Promise<RawBuilder<unknown>> {
  const place =
    after === undefined
      ? sql``
      : sql`AND (w.execution_id < ${after.executionId} OR (w.execution_id = ${after.executionId} AND w.wait > ${after.wait}))`;
  const order = sql`ORDER BY w.execution_id DESC, w.wait LIMIT ${limit}`;
  const open = sql`e.completed_at IS NULL AND NOT EXISTS (
    SELECT FROM execution_decisions AS d
    WHERE d.execution_id = w.execution_id AND d.wait = w.wait AND (d.final OR d.decider = ${deciderOf(viewer)})
  )`;
  const unguarded = (lane: RawBuilder<unknown>) => sql`(
    SELECT ${COLUMNS} FROM execution_waits AS w JOIN executions AS e ON e.id = w.execution_id
    WHERE ${open} AND NOT ${GUARDED} ${lane} ${place} ${more} ${order})`;
  const own = sql`AND w.lane = ${viewer.userId ?? OPERATOR_LANE}::uuid`;
  const guarded = sql`(
    SELECT ${COLUMNS} FROM execution_approvals AS guard
    JOIN execution_waits AS w ON w.execution_id = guard.execution_id AND w.wait = guard.wait
    JOIN executions AS e ON e.id = w.execution_id ${UNIT_OF_EXECUTION}
    WHERE ${open} AND ${mayDecideGuarded(viewer)} ${place} ${order})`;
  const granted = viewer.administrator ? [] : await grantedUnits(db, viewer, ['workflow'], 'approve');
  const branches = [
    guarded,
    unguarded(viewer.administrator ? sql`` : own),
    ...(granted.length === 0
      ? []
      : [
          unguarded(
            sql`AND e.workflow_id = ANY (${granted}::text[]) AND w.lane <> ${viewer.userId ?? OPERATOR_LANE}::uuid`,
          ),
        ]),
  ];
  return sql`
    SELECT * FROM (${sql.join(branches, sql` UNION ALL `)}) AS w ${order}`;
}

/** Returns the key of the viewer in recorded decisions. */
export function deciderOf({ userId }: Viewer): string {
  return userId ?? 'operator';
}
