import { setTimeout as pause } from 'node:timers/promises';
import { redactText } from '#api/http/redact.ts';
import { isStopped } from '#api/leases/lease-worker.ts';
import { type Lease, LeaseLost, type WorkerLogger } from '#api/leases/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { isDatabaseUnavailable } from '#api/postgres/failure.ts';
import { afterCommit } from '#api/postgres/transaction.ts';
import { retryDelay } from './back-off.ts';
import { JobPostponed, type JobQueueSettings, PermanentJobFailure, type RunningJob } from './port.ts';
import { type ClaimedJob, failJob, finishJob } from './tables/jobs.ts';

const DEFAULT_TIMEOUT_MS = 10 * 60_000;
const ABORTED_MS = 1_000;
const WRITE_PAUSE_MS = 250;

/**
 * Runs the handler of a job and writes its outcome. Never rejects. Resolves to false if nothing was written, because
 * the worker stops or the lease is lost.
 */
export async function runJob(
  lease: Lease<ClaimedJob>,
  { handle, timeoutMs = DEFAULT_TIMEOUT_MS }: JobQueueSettings,
  { database, logger }: { readonly database: Database; readonly logger: WorkerLogger },
): Promise<boolean> {
  const { row: job, abort } = lease;
  const facts = { job: job.id, queue: job.queue, attempt: job.attempts, requestId: job.requestId ?? undefined };
  let finished = false;
  const running: RunningJob = {
    id: job.id,
    payload: job.payload,
    attempt: job.attempts,
    requestId: job.requestId ?? undefined,
    signal: abort.signal,
    async finish(transaction, result) {
      if (!(await finishJob(transaction, lease, result))) throw new LeaseLost('another worker has this job');
      afterCommit(transaction, () => {
        finished = true;
      });
    },
  };

  const began = performance.now();
  const outcome = await settleWithin(timeoutMs, abort, () => handle(running));
  if (finished) return true;
  if (isLost(abort.signal) || (isStopped(abort.signal) && 'error' in outcome)) return false;
  lease.settled = true;
  if ('result' in outcome) {
    const written = await write(() => finishJob(database, lease, outcome.result));
    if (written) logger.debug({ ...facts, ms: Math.round(performance.now() - began) }, 'job done');
    return true;
  }
  const { error } = outcome;
  const permanent = error instanceof PermanentJobFailure;
  // Only the redacted message, because errors of clients contain requests and responses.
  const reason = textOf(error);
  const askedMs = error instanceof JobPostponed ? error.delayMs : 0;
  const failure = { error: reason, permanent, delayMs: Math.max(retryDelay(job.attempts), askedMs) };
  const state = await write(() => failJob(database, lease, failure));
  if (state === 'failed') logger.error({ ...facts, reason }, 'job failed permanently');
  else if (state === 'waiting') logger.warn({ ...facts, reason }, 'job failed and will be retried');
  return true;

  /** Retries while PostgreSQL is unavailable, until the lease expires. A lost outcome would repeat the work. */
  async function write<T>(outcomeWrite: () => Promise<T>): Promise<T | undefined> {
    while (true) {
      try {
        return await outcomeWrite();
      } catch (failed) {
        const passes = isDatabaseUnavailable(failed) && performance.now() < lease.leaseEnds;
        if (!passes) {
          logger.error({ ...facts, err: failed }, 'cannot write the outcome of a job; the job runs again');
          return undefined;
        }
        await pause(WRITE_PAUSE_MS);
      }
    }
  }
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** Gives a handler a limited time to end after the signal, unless the lease is lost. */
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

function isLost({ reason }: AbortSignal): boolean {
  return reason instanceof LeaseLost;
}

function textOf(error: unknown): string {
  return redactText(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}
