import type { Database } from '#api/postgres/database.ts';
import { afterCommit } from '#api/postgres/transaction.ts';
import type { JobLogger, JobQueue } from './port.ts';
import { insertJob } from './tables/jobs.ts';
import { createWakeUp } from './wake-up.ts';

/** The side that adds work. It needs no worker in this process. */
export function createJobQueue(deps: { readonly database: Database; readonly logger: JobLogger }): JobQueue {
  const wakeUp = createWakeUp(deps);
  return {
    async add(transaction, job) {
      const id = await insertJob(transaction, job);
      if (id !== undefined && job.runAt === undefined) afterCommit(transaction, () => wakeUp(job.queue));
      return id;
    },
  };
}
