import { JobLeaseLost, type JobLogger } from './port.ts';

/** Something this worker has a lease for: a job, an execution. */
export interface Lease<Id> {
  readonly id: Id;
  readonly epoch: number;
  readonly abort: AbortController;
  /** On this process's steady clock: from then on another worker may have it. Counted from before the lease was asked for. */
  leaseEnds: number;
  /** What came of it is being written. */
  settled: boolean;
}

export interface HeldLeases<L> {
  add(lease: L): void;
  /** From here on nobody renews it. */
  remove(lease: L): void;
  all(): readonly L[];
  /** Renews all leases in one statement. What is lost, or ended while the database was away, is aborted with `JobLeaseLost`. */
  renew(): Promise<void>;
}

/**
 * What the database says of a lease: `held` is still ours, but was not renewed. One that is not in the answer is lost. It goes by the lease, not by the id:
 * a worker may have lost something and claimed it again.
 */
export type Renewal = 'renewed' | 'held';

export function createHeldLeases<L extends Lease<unknown>>(
  {
    renewAll,
    onLost,
    logger,
  }: {
    readonly renewAll: (leases: readonly L[]) => Promise<ReadonlyMap<L, Renewal>>;
    readonly onLost: (lease: L) => void;
    readonly logger: JobLogger;
  },
  { leaseMs }: { readonly leaseMs: number },
): HeldLeases<L> {
  const leases = new Set<L>();
  let renewing = false;

  function lose(lease: L): void {
    if (lease.settled || !leases.delete(lease)) return;
    onLost(lease);
    lease.abort.abort(new JobLeaseLost('the lease is lost'));
  }

  async function renewEach(asked: readonly L[]): Promise<void> {
    const began = performance.now();
    const answers = await renewAll(asked);
    for (const lease of asked) {
      const answer = answers.get(lease);
      if (answer === undefined) lose(lease);
      else if (answer === 'renewed') lease.leaseEnds = began + leaseMs;
    }
  }

  return {
    add: (lease) => void leases.add(lease),
    remove: (lease) => void leases.delete(lease),
    all: () => [...leases],
    async renew() {
      for (const lease of leases) if (lease.leaseEnds < performance.now()) lose(lease);
      if (renewing || leases.size === 0) return;
      renewing = true;
      try {
        await renewEach([...leases]);
      } catch (error) {
        logger.warn({ err: error }, 'leases could not be renewed');
      } finally {
        renewing = false;
      }
    },
  };
}
