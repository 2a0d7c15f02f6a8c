import type { Database } from '#api/postgres/database.ts';
import { createHeldLeases, type HeldLeases, type Lease } from './held-leases.ts';
import type { JobLogger } from './port.ts';
import { type Claim, type ClaimedJob, renewLeases } from './tables/jobs.ts';

/** A job this worker has a lease for. */
export interface HeldJob extends Claim, Lease<number> {
  readonly job: ClaimedJob;
}

export interface HeldJobs extends Omit<HeldLeases<HeldJob>, 'add'> {
  /** `asked`: when the claim was sent, by `performance.now()`. */
  add(job: ClaimedJob, asked: number): HeldJob;
  countOf(queue: string): number;
}

export function createHeldJobs(
  { database, logger }: { readonly database: Database; readonly logger: JobLogger },
  { leaseMs }: { readonly leaseMs: number },
): HeldJobs {
  const leases = createHeldLeases<HeldJob>(
    {
      async renewAll(jobs) {
        const answers = await renewLeases(database, jobs, leaseMs);
        const renewals = new Map(answers.map(({ id, epoch, renewed }) => [`${id} ${epoch}`, renewed]));
        return new Map(
          jobs.flatMap((job) => {
            const renewed = renewals.get(`${job.id} ${job.epoch}`);
            return renewed === undefined ? [] : [[job, renewed ? 'renewed' : 'held']];
          }),
        );
      },
      onLost: ({ id, job }) => logger.warn({ job: id, queue: job.queue }, 'the lease of a job is lost'),
      logger,
    },
    { leaseMs },
  );
  return {
    ...leases,
    add(job, asked) {
      const { id, epoch } = job;
      const held = { id, epoch, job, abort: new AbortController(), leaseEnds: asked + leaseMs, settled: false };
      leases.add(held);
      return held;
    },
    countOf: (queue) => leases.all().filter(({ job }) => job.queue === queue).length,
  };
}
