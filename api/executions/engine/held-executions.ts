import type { Database } from '#api/postgres/database.ts';
import { createHeldLeases, type HeldLeases, type Lease, type Renewal } from '../../jobs/held-leases.ts';
import type { JobLogger } from '../../jobs/port.ts';
import type { ClaimedExecution } from '../store/claim.ts';
import { renewExecutions } from '../store/leases.ts';

/** An execution this worker has. */
export interface ExecutionLease extends Lease<string> {
  readonly execution: ClaimedExecution;
}

/** The execution was cancelled: its tasks are aborted with this. */
export class ExecutionCancelled extends Error {
  override readonly name = 'ExecutionCancelled';
}

export interface HeldExecutions extends Omit<HeldLeases<ExecutionLease>, 'add'> {
  /** `asked`: when the claim was sent, by `performance.now()`. */
  add(execution: ClaimedExecution, asked: number): ExecutionLease;
  get(id: string): ExecutionLease | undefined;
  countByLane(): ReadonlyMap<string, number>;
}

export interface HeldExecutionsDeps {
  readonly database: Database;
  readonly logger: JobLogger;
  readonly worker: string;
  /** These have signals that were not read yet. */
  readonly onSignals: (ids: readonly string[]) => void;
}

/** The leases of a worker on executions: the rules of jobs; a renewal also returns which executions were cancelled, and which have signals. */
export function createHeldExecutions(
  { database, logger, worker, onSignals }: HeldExecutionsDeps,
  { leaseMs }: { readonly leaseMs: number },
): HeldExecutions {
  const byId = new Map<string, ExecutionLease>();
  const leases = createHeldLeases<ExecutionLease>(
    {
      async renewAll(held) {
        const answers = await renewExecutions(database, held, worker, leaseMs);
        const byClaim = new Map(answers.map((answer) => [`${answer.id} ${answer.epoch}`, answer]));
        const renewals = new Map<ExecutionLease, Renewal>();
        const signalled: string[] = [];
        for (const lease of held) {
          const answer = byClaim.get(`${lease.id} ${lease.epoch}`);
          if (answer === undefined) continue;
          if (answer.cancelled) lease.abort.abort(new ExecutionCancelled('the execution was cancelled'));
          if (answer.ours || answer.cancelled) renewals.set(lease, answer.renewed ? 'renewed' : 'held');
          if (answer.ours && answer.signalled) signalled.push(lease.id);
        }
        if (signalled.length > 0) onSignals(signalled);
        return renewals;
      },
      onLost(lease) {
        if (byId.get(lease.id) === lease) byId.delete(lease.id);
        logger.warn({ execution: lease.id }, 'the lease of an execution is lost');
      },
      logger,
    },
    { leaseMs },
  );
  return {
    ...leases,
    add(execution, asked) {
      const { id, epoch } = execution;
      const lease = { id, epoch, execution, abort: new AbortController(), leaseEnds: asked + leaseMs, settled: false };
      leases.add(lease);
      byId.set(id, lease);
      return lease;
    },
    remove(lease) {
      leases.remove(lease);
      if (byId.get(lease.id) === lease) byId.delete(lease.id);
    },
    get: (id) => byId.get(id),
    countByLane() {
      const counts = new Map<string, number>();
      for (const { execution } of byId.values()) counts.set(execution.lane, (counts.get(execution.lane) ?? 0) + 1);
      return counts;
    },
  };
}
