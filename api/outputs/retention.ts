import type { Database } from '#api/postgres/database.ts';
import { deleteOldDeadLetters } from './tables/output-dead-letters.ts';
import { deleteOldMessages, forgetSentDetections } from './tables/output-messages.ts';

const AT_ONCE = 1_000;

/** Retention in days. A receiver that is unavailable for longer does not get the older messages. */
export const OUTPUT_RETENTION = {
  messages: 30,
  deliveredLetters: 30,
  refusedLetters: 90,
  sentDetections: 400,
} as const;

/**
 * Deletes messages that no output needs any more, in batches: a long delete would hold locks that other transactions
 * wait for.
 */
export async function trimOutputs(database: Database, signal: AbortSignal): Promise<void> {
  const { messages, deliveredLetters, refusedLetters, sentDetections } = OUTPUT_RETENTION;
  const letters = { deliveredDays: deliveredLetters, refusedDays: refusedLetters };
  for (const part of [
    () => deleteOldMessages(database, messages, AT_ONCE),
    () => deleteOldDeadLetters(database, letters, AT_ONCE),
    () => forgetSentDetections(database, sentDetections, AT_ONCE),
  ])
    while (!signal.aborted && (await part()) === AT_ONCE);
}
