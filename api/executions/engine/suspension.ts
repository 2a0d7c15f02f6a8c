import type { WakeUp } from '#api/leases/wake-up.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import { resumeExecution, type SuspensionChange, suspendExecution } from '../store/suspend.ts';
import { type FollowUps, PENDING, SIGNALLED } from './follow-ups.ts';
import { isTerminal } from './transitions.ts';

export interface SuspendAnswer {
  readonly executionId: string;
  /** `suspension-requested`: tasks in progress must end first. */
  readonly status:
    | 'suspended'
    | 'suspension-requested'
    | 'already-suspended'
    | 'cancellation-requested'
    | 'already-terminal';
  readonly wasStatus: ExecutionStatus;
}

export interface ResumeAnswer {
  readonly executionId: string;
  readonly status: 'resumed' | 'not-suspended' | 'already-terminal';
  readonly wasStatus: ExecutionStatus;
}

/** Runs in the transaction of the change. */
type Within = (transaction: Db) => Promise<void>;

/** Suspends and resumes executions of workflows. */
export interface Suspension {
  /**
   * Suspends an execution and its awaited children; see `suspendExecution`. Resolves to undefined if the execution does
   * not exist.
   */
  suspend(id: string, within: Within): Promise<SuspendAnswer | undefined>;
  /** Resumes an execution and its suspended awaited children; see `resumeExecution`. */
  resume(id: string, within: Within): Promise<ResumeAnswer | undefined>;
}

export function createSuspension({
  database,
  wakeUp,
  followUps,
}: {
  readonly database: Database;
  readonly wakeUp: WakeUp;
  readonly followUps: Pick<FollowUps, 'route'>;
}): Suspension {
  return {
    async suspend(id, within) {
      const change = await suspendExecution(database, id, within);
      if (change === undefined) return undefined;
      wakeUp(...change.held.map((held) => `${SIGNALLED}${held}`));
      if (change.changed) await followUps.route();
      return { executionId: id, status: statusOf(change), wasStatus: change.was.status };
    },

    async resume(id, within) {
      const change = await resumeExecution(database, id, within);
      if (change === undefined) return undefined;
      const { was, changed } = change;
      if (changed) {
        wakeUp(PENDING);
        await followUps.route();
      }
      const status = isTerminal(was.status) ? 'already-terminal' : changed ? 'resumed' : 'not-suspended';
      return { executionId: id, status, wasStatus: was.status };
    },
  };
}

function statusOf({ was, changed, held }: SuspensionChange): SuspendAnswer['status'] {
  if (isTerminal(was.status)) return 'already-terminal';
  if (was.cancelRequested) return 'cancellation-requested';
  if (changed) return held.includes(was.id) ? 'suspension-requested' : 'suspended';
  return was.suspendedAt === null ? 'suspension-requested' : 'already-suspended';
}
