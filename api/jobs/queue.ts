import type { WorkerLogger } from '#api/leases/port.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import type { Database } from '#api/postgres/database.ts';
import { afterCommit } from '#api/postgres/transaction.ts';
import type { JobQueue } from './port.ts';
import { insertJob } from './tables/jobs.ts';

/** Adds jobs. It needs no worker in this process. */
export function createJobQueue(deps: { readonly database: Database; readonly logger: WorkerLogger }): JobQueue {
  const wakeUp = createWakeUp(deps);
  return {
    async add(transaction, job) {
      const id = await insertJob(transaction, job);
      if (id !== undefined && job.runAt === undefined) afterCommit(transaction, () => wakeUp(job.queue));
      return id;
    },
  };
}
