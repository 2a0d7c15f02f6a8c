import { answersByLease } from '#api/leases/lease-set.ts';
import type { LeaseEngine } from '#api/leases/lease-worker.ts';
import type { Lease, LeasedWork } from '#api/leases/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { type ClaimedExecution, claimExecutions, MAX_CLAIM } from '../../store/claim.ts';
import { releaseExecutions, renewExecutions, retractExecutionLosses } from '../../store/leases.ts';
import { claimSuspect, endAlone } from '../../store/suspects.ts';
import { PENDING } from '../follow-ups.ts';

/** The lease of a worker on an execution. */
export type ExecutionLease = Lease<ClaimedExecution>;

/** Abort reason of the tasks of a cancelled execution. */
export class ExecutionCancelled extends Error {
  override readonly name = 'ExecutionCancelled';
}

export interface LeasedExecutionsDeps {
  readonly database: Database;
  /** Receives the ids of executions with unread signals. */
  readonly onSignals: (ids: readonly string[]) => void;
  /** Called on each renewal while the execution should be suspended. */
  readonly onSuspending: (id: string) => void;
}

export interface LeasedExecutionsConfig {
  readonly kinds: readonly ClaimedExecution['kind'][];
  readonly places: number;
  readonly ownerShare: number;
}

export interface LeasedExecutions
  extends Omit<LeasedWork<ClaimedExecution>, 'begin' | 'maintain' | 'onNotified' | 'idle'> {
  /** Reports that executions may have become pending. The next claim then searches the executions of all owners. */
  queueChanged(): void;
}

/** Implements the lease queries of executions. The executions of one owner use at most `ownerShare` of the slots. */
export function leasedExecutions(
  { database, onSignals, onSuspending }: LeasedExecutionsDeps,
  { worker, leaseMs }: Pick<LeaseEngine<ClaimedExecution>, 'worker' | 'leaseMs'>,
  { kinds, places, ownerShare }: LeasedExecutionsConfig,
): LeasedExecutions {
  const maxOfOwner = Math.max(1, Math.floor(places * ownerShare));
  /** Increments when executions may have become pending. */
  let queueVersion = 0;
  /** The joined names of the full lanes, if the last claim found no pending execution in other lanes. */
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
      // The lane of an owner with a long queue stays full. Without this check, each of its claims would be followed by
      // an empty one.
      if (fullLanes.length > 0 && full === fullAndAlone) return undefined;
      // The claim query knows only which owners are full. So the limit is what the fullest other owner may still lease.
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
