import { z } from 'zod';
import type { NotifyOutputs } from '#api/cases/case-cause.ts';
import type { JobQueue } from '#api/jobs/port.ts';
import { outputsForCases } from '../tables/outputs.ts';

/** The queue of messages about cases. */
export const CASE_OUTPUT_QUEUE = 'case-output';
/** With increasing delays of up to 15 minutes: about five hours. */
const MAX_ATTEMPTS = 30;

/** Input of a job of the queue. */
export const caseOutputSchema = z.object({
  outputId: z.string(),
  caseId: z.string(),
  seq: z.int(),
  cause: z.enum(['opened', 'changed', 'closed']),
  at: z.iso.datetime(),
});

/** Queues one job per output that subscribes to messages about cases for this cause, so that no receiver delays another. */
export function createNotifyOutputs({ jobs }: { readonly jobs: JobQueue }): NotifyOutputs {
  return async (transaction, { caseId, seq, cause, at }) => {
    for (const outputId of await outputsForCases(transaction, cause)) {
      const payload: z.output<typeof caseOutputSchema> = { outputId, caseId, seq, cause, at: at.toISOString() };
      await jobs.add(transaction, { queue: CASE_OUTPUT_QUEUE, payload, maxAttempts: MAX_ATTEMPTS });
    }
  };
}
