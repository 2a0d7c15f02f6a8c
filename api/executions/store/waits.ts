import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { grantedUnits } from '#api/sharing/conditions.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import type { ApprovalPolicy } from '../approvals/policy.ts';
import type { EventFilter } from '../engine/port.ts';
import type { JsonValue } from '../json-value.ts';
import { mayAnswer, mayDecideGuarded, UNIT_OF_EXECUTION } from './approval-conditions.ts';
import { OPERATOR_LANE } from './queue-position.ts';

/** An execution that waits for an event, with what a person needs to answer. */
export interface ListedWait {
  readonly executionId: string;
  readonly wait: string;
  readonly step: string;
  readonly mode: 'all' | 'any' | 'one';
  readonly filters: readonly EventFilter[];
  readonly createdAt: Date;
  readonly kind: 'workflow' | 'agent';
  /** Of the workflow or agent. */
  readonly unitId: string;
  readonly slug: string;
  readonly title: string | null;
  readonly summary: string | null;
  /** null also when it is too large for a list. */
  readonly input: JsonValue;
  /** Who decides; null: any event that fits continues it. */
  readonly policy: ApprovalPolicy | null;
  /** Of an agent: the call that a person decides about, as JSON text without secrets; what it says comes from the agent. */
  readonly toolCall: {
    readonly tool: string;
    readonly arguments: string;
    readonly truncated: boolean;
    readonly expiresAt: string;
  } | null;
  /** Decisions so far, the oldest first. */
  readonly decisions: readonly { readonly by: string; readonly approved: boolean; readonly note: string | null }[];
  /** The viewer may decide, and has not decided yet. */
  readonly mayDecide: boolean;
}

/** The last one of the page before. */
export type WaitPlace = Pick<ListedWait, 'executionId' | 'wait'>;

/** As the column is stored, compressed. */
const LISTED_BYTES = 16 * 1024;
const COLUMNS = sql`w.execution_id, w.wait`;
const GUARDED = sql`EXISTS (SELECT FROM execution_approvals AS g WHERE g.execution_id = w.execution_id AND g.wait = w.wait)`;

/**
 * The waits that the viewer may decide: those that name the viewer; of those that name no approvers, the viewer's own, those of workflows that the viewer
 * may approve by a grant, and all for administrators. The newest executions first.
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

/** How many waits the viewer may decide, counted up to `atMost`; those that only the service itself continues are left out. */
export async function countWaits(db: Db, viewer: Viewer, atMost: number): Promise<number> {
  const decidable = sql`AND EXISTS (SELECT FROM unnest(w.event_types) AS type WHERE type NOT LIKE 'trapline.%')`;
  const chosen = await chosenWaits(db, viewer, atMost, undefined, decidable);
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM (${chosen}) AS chosen`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The waits of an execution, which the caller has found visible. */
export async function waitsOfExecution(db: Db, viewer: Viewer, executionId: string): Promise<ListedWait[]> {
  const { rows } = await sql<ListedWait>`
    WITH chosen AS (SELECT ${COLUMNS} FROM execution_waits AS w WHERE w.execution_id = ${executionId})
    ${details(viewer, mayAnswer(viewer))}`.execute(db);
  return rows;
}

/** `unguarded`: whether the viewer may decide where no approvers are named. */
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

/** The rows (execution, wait) of a page. Each way to be one is read from an index of its own, so far as the page needs it. */
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

/** How decisions of the viewer are known. */
export function deciderOf({ userId }: Viewer): string {
  return userId ?? 'operator';
}
