import { setTimeout as pause } from 'node:timers/promises';
import { redactText } from '#api/http/redact.ts';
import type { Database } from '#api/postgres/database.ts';
import { isDatabaseAway } from '#api/postgres/failure.ts';
import { afterCommit } from '#api/postgres/transaction.ts';
import { retryDelay } from './back-off.ts';
import type { HeldJob } from './held-jobs.ts';
import { JobLeaseLost, type JobLogger, type JobQueueSettings, PermanentJobFailure, type RunningJob } from './port.ts';
import { failJob, finishJob } from './tables/jobs.ts';

const DEFAULT_TIMEOUT_MS = 10 * 60_000;
const ABORTED_MS = 1_000;
const WRITE_PAUSE_MS = 250;

/**
 * Runs the handler of a job and writes what came of it, as far as the lease allows. Never rejects. `left`: nothing was written, because the
 * worker stops or the lease is lost.
 */
export async function runJob(
  held: HeldJob,
  { handle, timeoutMs = DEFAULT_TIMEOUT_MS }: JobQueueSettings,
  { database, logger }: { readonly database: Database; readonly logger: JobLogger },
): Promise<'written' | 'left'> {
  const { job, abort } = held;
  const facts = { job: job.id, queue: job.queue, attempt: job.attempts, requestId: job.requestId ?? undefined };
  let finished = false;
  const running: RunningJob = {
    id: job.id,
    payload: job.payload,
    attempt: job.attempts,
    requestId: job.requestId ?? undefined,
    signal: abort.signal,
    async finish(transaction, result) {
      if (!(await finishJob(transaction, held, result))) throw new JobLeaseLost('another worker has this job');
      afterCommit(transaction, () => {
        finished = true;
      });
    },
  };

  const began = performance.now();
  const outcome = await settleWithin(timeoutMs, abort, () => handle(running));
  if (finished) return 'written';
  if (isLost(abort.signal) || (isStopped(abort.signal) && 'error' in outcome)) return 'left';
  held.settled = true;
  if ('result' in outcome) {
    const written = await write(() => finishJob(database, held, outcome.result));
    if (written) logger.debug({ ...facts, ms: Math.round(performance.now() - began) }, 'job done');
    return 'written';
  }
  const { error } = outcome;
  const permanent = error instanceof PermanentJobFailure;
  // The text alone, redacted: errors of clients carry what was sent and answered.
  const reason = textOf(error);
  const failure = { error: reason, permanent, delayMs: retryDelay(job.attempts) };
  const state = await write(() => failJob(database, held, failure));
  if (state === 'failed') logger.error({ ...facts, reason }, 'job failed for good');
  else if (state === 'waiting') logger.warn({ ...facts, reason }, 'job failed and will be tried again');
  return 'written';

  /** Until the lease has ended the outcome is ours to write, and it would be a pity to do the work twice. */
  async function write<T>(outcomeWrite: () => Promise<T>): Promise<T | undefined> {
    while (true) {
      try {
        return await outcomeWrite();
      } catch (failed) {
        const passes = isDatabaseAway(failed) && performance.now() < held.leaseEnds;
        if (!passes) {
          logger.error({ ...facts, err: failed }, 'the outcome of a job could not be written; it will be done again');
          return undefined;
        }
        await pause(WRITE_PAUSE_MS);
      }
    }
  }
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** After the signal a handler has a moment to end, unless somebody else may begin already; longer it is not waited for. */
async function settleWithin(ms: number, abort: AbortController, handle: () => Promise<unknown>): Promise<Outcome> {
  const { signal } = abort;
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const timers = [setTimeout(() => abort.abort(new DOMException(`it took more than ${ms} ms`, 'TimeoutError')), ms)];
  const onAbort = () => {
    timers.push(setTimeout(() => resolve({ error: signal.reason }), isLost(signal) ? 0 : ABORTED_MS));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const settled = (async () => ({ result: await handle() }))().catch((error: unknown) => ({ error }));
  const outcome = await Promise.race([settled, promise]);
  signal.removeEventListener('abort', onAbort);
  for (const timer of timers) clearTimeout(timer);
  return outcome;
}

function isStopped({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'AbortError';
}

function isLost({ reason }: AbortSignal): boolean {
  return reason instanceof JobLeaseLost;
}

function textOf(error: unknown): string {
  return redactText(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}
