import { answersByLease } from '#api/leases/lease-set.ts';
import type { LeaseEngine } from '#api/leases/lease-worker.ts';
import type { Lease, LeasedWork } from '#api/leases/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { type ClaimedExecution, claimExecutions, MAX_CLAIM } from '../store/claim.ts';
import { releaseExecutions, renewExecutions, retractExecutionLosses } from '../store/leases.ts';
import { claimSuspect, endAlone } from '../store/suspects.ts';
import { PENDING } from './follow-ups.ts';

/** The lease of a worker on an execution. */
export type ExecutionLease = Lease<ClaimedExecution>;

/** The execution was cancelled: its tasks are aborted with this. */
export class ExecutionCancelled extends Error {
  override readonly name = 'ExecutionCancelled';
}

export interface LeasedExecutionsDeps {
  readonly database: Database;
  /** These have signals that were not read yet. */
  readonly onSignals: (ids: readonly string[]) => void;
  /** The execution is to be suspended; called with each renewal until it is. */
  readonly onSuspending: (id: string) => void;
}

export interface LeasedExecutionsConfig {
  readonly kinds: readonly ClaimedExecution['kind'][];
  readonly places: number;
  readonly ownerShare: number;
}

export interface LeasedExecutions
  extends Omit<LeasedWork<ClaimedExecution>, 'begin' | 'maintain' | 'onNotified' | 'idle'> {
  /** Executions may have become pending: the next claim searches those of all owners again. */
  queueChanged(): void;
}

/** The queries of leases on executions. Executions of one owner take no more than their share of the slots. */
export function leasedExecutions(
  { database, onSignals, onSuspending }: LeasedExecutionsDeps,
  { worker, leaseMs }: Pick<LeaseEngine<ClaimedExecution>, 'worker' | 'leaseMs'>,
  { kinds, places, ownerShare }: LeasedExecutionsConfig,
): LeasedExecutions {
  const maxOfOwner = Math.max(1, Math.floor(places * ownerShare));
  /** Rises when executions may have become pending. */
  let queueVersion = 0;
  /** The full lanes, as one text, when no execution of another lane was pending. */
  let fullAndAlone: string | undefined;
  return {
    queueChanged() {
      queueVersion += 1;
      fullAndAlone = undefined;
    },
    facts: ({ id }) => ({ execution: id }),
    groupOf: ({ lane }) => lane,
    claim(countByLane) {
      const counts = [...countByLane.values()];
      const free = places - counts.reduce((sum, count) => sum + count, 0);
      if (free <= 0) return undefined;
      const fullLanes = [...countByLane].filter(([, count]) => count >= maxOfOwner).map(([lane]) => lane);
      const full = fullLanes.toSorted().join();
      // An owner with a long queue keeps its lane full: each claim of its executions would be followed by one that finds nothing.
      if (fullLanes.length > 0 && full === fullAndAlone) return undefined;
      // The claim knows only which owners are full, so it takes no more than any other owner may still have.
      const ofOwner = maxOfOwner - Math.max(0, ...counts.filter((count) => count < maxOfOwner));
      const limit = Math.min(free, ofOwner, MAX_CLAIM);
      return async () => {
        const version = queueVersion;
        const rows = await claimExecutions(database, { worker, leaseMs, kinds, fullLanes, places: limit });
        const more = rows.length === limit;
        if (rows.length === 0 && fullLanes.length > 0 && version === queueVersion) fullAndAlone = full;
        return { rows, more, empty: !more && fullLanes.length === 0 };
      };
    },
    claimSuspect: (alone) => claimSuspect(database, { worker, leaseMs, kinds, alone }),
    endAlone: (claim) => endAlone(database, claim),
    async renew(leases) {
      const answers = answersByLease(leases, await renewExecutions(database, leases, worker, leaseMs));
      const signalled: string[] = [];
      for (const [lease, { ours, cancelled, suspending, signalled: hasSignals }] of answers) {
        if (cancelled) lease.abort.abort(new ExecutionCancelled('the execution was cancelled'));
        if (ours && suspending) onSuspending(lease.id);
        if (ours && hasSignals) signalled.push(lease.id);
        if (!ours && !cancelled) answers.delete(lease);
      }
      if (signalled.length > 0) onSignals(signalled);
      return answers;
    },
    async release(leases) {
      await releaseExecutions(database, leases);
      return [PENDING];
    },
    retract: (leases) => retractExecutionLosses(database, leases),
  };
}
