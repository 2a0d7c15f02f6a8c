import type { Database } from '../store/database.ts';
import { type Claim, type ClaimedJob, renewLeases } from '../store/tables/jobs.ts';
import { JobLeaseLost, type JobLogger } from './port.ts';

/** A job this worker has a lease for. */
export interface HeldJob extends Claim {
  readonly job: ClaimedJob;
  readonly abort: AbortController;
  /** On this process's steady clock: from then on another worker may have it. Counted from before the lease was asked for. */
  leaseEnds: number;
  /** Its handler is through, and the outcome is being written. */
  settled: boolean;
}

export interface HeldJobs {
  /** `asked`: when the claim was sent, by `performance.now()`. */
  add(job: ClaimedJob, asked: number): HeldJob;
  /** From here on nobody renews it. */
  remove(held: HeldJob): void;
  all(): readonly HeldJob[];
  countOf(queue: string): number;
  /** Renews all leases in one statement. A job whose lease is lost, or ended while the database was away, is aborted. */
  renew(): Promise<void>;
}

export function createHeldJobs(
  { database, logger }: { readonly database: Database; readonly logger: JobLogger },
  { leaseMs }: { readonly leaseMs: number },
): HeldJobs {
  const jobs = new Set<HeldJob>();
  let renewing = false;

  function lose(held: HeldJob): void {
    if (held.settled || !jobs.delete(held)) return;
    logger.warn({ job: held.id, queue: held.job.queue }, 'the lease of a job is lost');
    held.abort.abort(new JobLeaseLost('the lease is lost'));
  }

  async function renewAll(claims: readonly HeldJob[]): Promise<void> {
    const asked = performance.now();
    const answers = await renewLeases(database, claims, leaseMs);
    const renewedById = new Map(answers.map(({ id, renewed }) => [id, renewed]));
    for (const held of claims) {
      const renewed = renewedById.get(held.id);
      if (renewed === undefined) lose(held);
      else if (renewed) held.leaseEnds = asked + leaseMs;
    }
  }

  return {
    add(job, asked) {
      const { id, epoch } = job;
      const held = { id, epoch, job, abort: new AbortController(), leaseEnds: asked + leaseMs, settled: false };
      jobs.add(held);
      return held;
    },
    remove: (held) => void jobs.delete(held),
    all: () => [...jobs],
    countOf(queue) {
      let count = 0;
      for (const { job } of jobs) if (job.queue === queue) count += 1;
      return count;
    },
    async renew() {
      for (const held of jobs) if (held.leaseEnds < performance.now()) lose(held);
      if (renewing || jobs.size === 0) return;
      renewing = true;
      try {
        await renewAll([...jobs]);
      } catch (error) {
        logger.warn({ err: error }, 'leases of jobs could not be renewed');
      } finally {
        renewing = false;
      }
    },
  };
}
