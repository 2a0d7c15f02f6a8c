import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import { answerTo, eventId } from '#schemas/api/answer-event.ts';
import { type CloudEvent, OWN_TYPES } from '../engine/contract/cloud-event.ts';
import type { Executions } from '../engine/executions.ts';
import type { JsonValue } from '../json-value.ts';
import { deciderFacts, type LockedWait, lockWait, operatorTies } from '../store/decisions.ts';
import { insertEvent, signalType } from '../store/signals.ts';
import { findVisibleExecution } from '../store/visible.ts';
import { deciderOf } from '../store/waits.ts';
import { type ExecutionDecision, insertDecision, listDecisions } from '../tables/execution-decisions.ts';
import { decisionType } from './decision-type.ts';
import { type DecisionRefusal, exclusionOf, refusalOf, verdictOf } from './may-decide.ts';

export interface Decision {
  readonly executionId: string;
  readonly wait: string;
  readonly approved: boolean;
  readonly note?: string | undefined;
}

export interface DecidedBy {
  readonly viewer: Viewer;
  /** See `actorOf`. */
  readonly actor: string;
  readonly origin: RequestOrigin;
}

/**
 * Why a decision was refused. `invisible`: the wait does not exist, or the viewer may not see it. `decided`: the wait
 * is already decided, or the viewer has already voted. `event-needed`: the filter of the wait does not determine the
 * event that continues it. `service-event`: only the service itself may send that event. For the other reasons, see
 * `DecisionRefusal`.
 */
export type DecideRefusal = DecisionRefusal | 'invisible' | 'decided' | 'event-needed' | 'service-event';

export type Decided =
  | { readonly outcome: 'approved' | 'rejected' }
  /** More approvals are needed. */
  | { readonly outcome: 'counted'; readonly approvals: number; readonly needed: number }
  | { readonly outcome: 'refused'; readonly reason: DecideRefusal };

export type Decide = (decision: Decision, by: DecidedBy) => Promise<Decided>;

export interface DecideDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly executions: Pick<Executions, 'deliverEvents'>;
}

/**
 * Approves or rejects a waiting execution. Permissions are checked while the row of the wait is locked. Earlier
 * approvals count only while their users may still decide. The decision, its audit entry and the event that continues
 * the execution are written in one transaction.
 */
export function createDecide({ database, audit, executions }: DecideDeps): Decide {
  return async (decision, by) => {
    const decided = await inTransaction(database, (transaction) => decideWithin(transaction, audit, decision, by));
    if (decided.outcome === 'approved' || decided.outcome === 'rejected') await executions.deliverEvents();
    return decided;
  };
}

async function decideWithin(
  transaction: Db,
  audit: Audit,
  { executionId, wait, approved, note }: Decision,
  { viewer, actor, origin }: DecidedBy,
): Promise<Decided> {
  const refused = (reason: DecideRefusal): Decided => ({ outcome: 'refused', reason });
  const locked = await lockWait(transaction, executionId, wait);
  if (locked === undefined) return refused('invisible');
  const refusal = await refusalFor(transaction, locked, viewer);
  if (refusal !== undefined) {
    const isVisible = (await findVisibleExecution(transaction, viewer, executionId)) !== undefined;
    return refused(refusal === 'not-named' && !isVisible ? 'invisible' : refusal);
  }
  const earlier = await listDecisions(transaction, executionId, wait);
  const decider = deciderOf(viewer);
  if (earlier.some((one) => one.final || one.decider === decider)) return refused('decided');

  const facts = await deciderFacts(transaction, locked, viewer);
  const username = facts?.username ?? 'operator';
  const counted: ExecutionDecision[] = [];
  for (const one of earlier) {
    const viewerOfOne = { userId: one.userId ?? undefined, administrator: one.userId === null };
    if ((await refusalFor(transaction, locked, viewerOfOne)) === undefined) counted.push(one);
  }
  const verdict = verdictOf(locked.policy, [...counted, { approved }]);
  const approvers = [...counted.map((one) => one.username), username];
  const event = verdict === undefined ? undefined : eventOf(locked, verdict === 'approved', approvers, note);
  if (event === null) return refused('event-needed');
  // Only the service itself may send its own events.
  if (locked.policy === null && event?.type.toLowerCase().startsWith(OWN_TYPES)) return refused('service-event');
  await insertDecision(transaction, {
    executionId,
    wait,
    decider,
    userId: viewer.userId ?? null,
    username,
    approved,
    note: note ?? null,
    final: verdict !== undefined,
  });
  if (event !== undefined) {
    // A decision applies to one execution. Without a policy, the event is routed only to waits of that execution whose
    // filter it passes.
    const routedAs = locked.policy === null ? signalType(executionId) : decisionType(executionId, wait);
    await insertEvent(transaction, event, locked.lane, { causation: locked.causation, routedAs });
  }
  await audit.record(transaction, {
    actor,
    origin,
    target: `execution:${executionId}`,
    action: 'approval.decide',
    diff: {
      step: { after: locked.step },
      decision: { after: approved ? 'approved' : 'rejected' },
      ...(note === undefined ? {} : { note: { after: note } }),
    },
  });
  if (verdict !== undefined) return { outcome: verdict };
  return { outcome: 'counted', approvals: approvers.length, needed: locked.policy?.count ?? 1 };
}

async function refusalFor(db: Db, wait: LockedWait, viewer: Viewer): Promise<DecisionRefusal | undefined> {
  const facts = await deciderFacts(db, wait, viewer);
  if (facts !== undefined) return refusalOf(wait.policy, facts);
  // The operator has no user account, so a workflow cannot name it. It decides only if no approvers are named.
  if (viewer.userId !== undefined || !viewer.administrator) return 'not-named';
  if (wait.policy !== null && wait.policy.approvers.length > 0) return 'not-named';
  return exclusionOf(wait.policy, await operatorTies(db, wait.executionId));
}

/** Builds the event that continues the wait. Returns null if the filter does not determine that event. */
function eventOf(
  { filters }: LockedWait,
  approved: boolean,
  approvers: readonly string[],
  note: string | undefined,
): CloudEvent | null {
  const by = approvers.at(-1) ?? '';
  const decision = { approved, by, approvers, ...(note === undefined ? {} : { note }) };
  const { event, complete } = answerTo({ filters: filters as Parameters<typeof answerTo>[0]['filters'] }, decision);
  if (!complete) return null;
  return { ...event, id: eventId(), time: new Date().toISOString(), data: event.data as JsonValue };
}
