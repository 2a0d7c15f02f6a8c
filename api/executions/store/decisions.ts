import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import type { Decider } from '../approvals/may-decide.ts';
import type { ApprovalPolicy } from '../approvals/policy.ts';
import type { EventFilter } from '../engine/contract/cloud-event.ts';
import { isLastEditor, mayAnswer, UNIT_OF_EXECUTION } from './approval-conditions.ts';

/** A wait with the data that a decision needs. */
export interface LockedWait {
  readonly executionId: string;
  readonly wait: string;
  readonly step: string;
  readonly filters: readonly EventFilter[];
  readonly lane: string;
  readonly causation: number;
  /** If null, any matching event continues it. */
  readonly policy: ApprovalPolicy | null;
}

/** Locks an open wait until the transaction ends, which serializes decisions. */
export async function lockWait(transaction: Db, executionId: string, wait: string): Promise<LockedWait | undefined> {
  const { rows } = await sql<LockedWait>`
    SELECT w.execution_id, w.wait, w.step, w.filters, w.lane, e.causation, guard.policy
    FROM execution_waits AS w
    JOIN executions AS e ON e.id = w.execution_id
    LEFT JOIN execution_approvals AS guard ON guard.execution_id = w.execution_id AND guard.wait = w.wait
    WHERE w.execution_id = ${executionId} AND w.wait = ${wait} AND e.completed_at IS NULL
    FOR UPDATE OF w`.execute(transaction);
  return rows[0];
}

/**
 * Returns the current state of a user for the rules of an approval. Returns undefined for the operator, and for an
 * account that does not exist.
 */
export async function deciderFacts(
  db: Db,
  { executionId }: Pick<LockedWait, 'executionId'>,
  viewer: Viewer,
): Promise<Decider | undefined> {
  const { userId } = viewer;
  if (userId === undefined) return undefined;
  const byRight = mayAnswer({ userId, administrator: false });
  const { rows } = await sql<Decider>`
    SELECT users.username, users.role, NOT users.disabled AND coalesce(users.end_date > now(), true) AS active,
      ARRAY(SELECT teams.name FROM teams JOIN team_members ON team_members.team_id = teams.id WHERE team_members.user_id = users.id) AS teams,
      users.role = 'admin' OR ${byRight} AS may_approve,
      e.owner_id IS NOT DISTINCT FROM users.id AS is_starter, coalesce(${isLastEditor(viewer)}, false) AS is_last_editor
    FROM users CROSS JOIN executions AS e ${UNIT_OF_EXECUTION}
    WHERE users.id = ${userId}::uuid AND e.id = ${executionId}`.execute(db);
  return rows[0];
}

/** Returns whether the operator, which has no account, started the execution or edited its version. */
export async function operatorTies(db: Db, executionId: string): Promise<Pick<Decider, 'isStarter' | 'isLastEditor'>> {
  const { rows } = await sql<Pick<Decider, 'isStarter' | 'isLastEditor'>>`
    SELECT e.owner_id IS NULL AS is_starter, coalesce(${isLastEditor({ userId: undefined, administrator: true })}, false) AS is_last_editor
    FROM executions AS e ${UNIT_OF_EXECUTION} WHERE e.id = ${executionId}`.execute(db);
  return rows[0] ?? { isStarter: true, isLastEditor: true };
}
