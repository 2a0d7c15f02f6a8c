import type { Client } from './client.ts';
import { ServiceError, ServiceRateLimitError, ServiceServerError } from './errors.ts';
import { pause } from './idle-timeout.ts';
import type { LeasedTask } from './types/worker.ts';
import type { TaskFailureParams } from './worker-tasks.ts';

/**
 * An error of a handler with more details than a message. Any other error is a failure that `retry` of the workflow may
 * repeat.
 */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
  readonly details: Omit<TaskFailureParams, 'message'>;

  constructor(message: string, details: Omit<TaskFailureParams, 'message'> = {}) {
    super(message);
    this.details = details;
  }
}

/** Abort reason of a handler's signal: its result is no longer needed. */
export class TaskEnded extends Error {
  override readonly name = 'TaskEnded';
  /**
   * `cancelled`: the execution no longer waits. `lease-lost`: another worker may run the task. `stopping`: the worker
   * stops and releases the task.
   */
  readonly reason: 'cancelled' | 'lease-lost' | 'stopping';

  constructor(reason: TaskEnded['reason']) {
    super(`the task has ended for this worker: ${reason}`);
    this.reason = reason;
  }
}

/** Runs a task. The resolved value is the output. */
export type TaskHandler = (task: LeasedTask, context: { readonly signal: AbortSignal }) => unknown;

export interface WorkerOptions {
  readonly queue: string;
  /** Handlers by task type. Other workers process tasks of other types. */
  readonly handlers: Readonly<Record<string, TaskHandler>>;
  /** Maximum number of concurrent tasks. Default 1. */
  readonly concurrency?: number | undefined;
  /** Name of this process in the list of workers. */
  readonly name?: string | undefined;
  /**
   * Lease time. A worker that is unavailable for this time loses its tasks. It extends its leases three times in this
   * period. Default 60.
   */
  readonly leaseSeconds?: number | undefined;
  /** How long `stop` waits for tasks before it releases them. Default 30. */
  readonly stopSeconds?: number | undefined;
  /** Receives errors after which the worker continues. Default: writes them to the console. */
  readonly onError?: ((error: unknown, task?: LeasedTask) => void) | undefined;
}

export interface Worker {
  /** Resolves after `stop`. Rejects with an error that a retry cannot resolve, such as an invalid key. */
  readonly finished: Promise<void>;
  /** Stops leasing tasks. Resolves when the tasks in progress have ended or were released. */
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** Maximum number of tasks per poll. */
const MAX_TASKS = 20;

/**
 * Creates a worker, which leases tasks of a queue, runs their handlers and reports the results. A task may run more
 * than once: see `LeasedTask.idempotencyKey`.
 */
export function createWorker(client: Client, options: WorkerOptions): Worker {
  const { queue, handlers, concurrency = 1, name, leaseSeconds = 60, stopSeconds = 30 } = options;
  const onError = options.onError ?? ((error: unknown) => console.error(error));
  if (!(concurrency >= 1)) throw new TypeError('concurrency: must be at least 1');
  const types = Object.keys(handlers);
  if (types.length === 0) throw new TypeError('handlers: must have at least one');
  const stopping = new AbortController();
  const running = new Map<Promise<void>, AbortController>();

  async function work(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      if (running.size >= concurrency) {
        await Promise.race(running.keys());
        continue;
      }
      try {
        const maxTasks = Math.min(Math.floor(concurrency) - running.size, MAX_TASKS);
        const { tasks } = await client.workerTasks.poll(
          { queue, types, leaseSeconds, maxTasks, ...(name === undefined ? {} : { worker: name }) },
          { signal: stopping.signal },
        );
        failures = 0;
        for (const task of tasks) begin(task);
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (!passes(error)) throw error;
        onError(error);
        await pause(pauseMs(++failures, error), stopping.signal).catch(() => {});
      }
    }
  }

  function begin(task: LeasedTask): void {
    const ender = new AbortController();
    const done = doTask(task, ender)
      .catch((error: unknown) => onError(error, task))
      .finally(() => running.delete(done));
    running.set(done, ender);
  }

  async function doTask(task: LeasedTask, ender: AbortController): Promise<void> {
    const lease = keepLease(client, { task, leaseSeconds, ender, onError });
    try {
      const handler = handlers[task.type];
      const answer = await Promise.resolve()
        // A handler that ignores its signal must not delay the stop of the worker.
        .then(() => Promise.race([handler?.(task, { signal: ender.signal }), untilStopped(ender.signal)]))
        .then(
          (output) => () => client.workerTasks.complete(task, output, { signal: ender.signal }),
          (error: unknown) => failing(task, error, ender.signal),
        );
      const note = (error: unknown) => onError(error, task);
      if (ender.signal.aborted) return;
      await untilAnswered(answer, ender.signal, note).catch((error: unknown) => {
        if (ender.signal.aborted || isLost(error)) throw error;
        // The service refused the output.
        note(error);
        return untilAnswered(failing(task, error, ender.signal), ender.signal, note);
      });
    } catch (error) {
      if (!ender.signal.aborted) throw error;
    } finally {
      lease.end();
      const { reason } = ender.signal;
      if (reason instanceof TaskEnded && reason.reason === 'stopping')
        await client.workerTasks.release(task).catch((error: unknown) => {
          if (!isLost(error)) throw error;
        });
    }
  }

  const failing = (task: LeasedTask, error: unknown, signal: AbortSignal) => () =>
    client.workerTasks.fail(task, failureOf(error), { signal });

  async function stop(): Promise<void> {
    stopping.abort(new TaskEnded('stopping'));
    const late = setTimeout(() => {
      for (const ender of running.values()) ender.abort(new TaskEnded('stopping'));
    }, stopSeconds * 1_000);
    while (running.size > 0) await Promise.all(running.keys());
    clearTimeout(late);
  }

  const polling = work();
  const finished = polling.then(stop, async (error: unknown) => {
    await stop();
    throw error;
  });
  finished.catch(() => {});
  return { finished, stop: () => Promise.all([stop(), polling.catch(() => {})]).then(() => {}) };
}

/** Extends the lease of a task until `end` aborts. Aborts the handler if the task was cancelled or the lease was lost. */
function keepLease(
  client: Client,
  {
    task,
    leaseSeconds,
    ender,
    onError,
  }: {
    readonly task: LeasedTask;
    readonly leaseSeconds: number;
    readonly ender: AbortController;
    readonly onError: (error: unknown, task?: LeasedTask) => void;
  },
): { end(): void } {
  const over = new AbortController();
  void (async () => {
    for (let leaseEnds = Date.now() + leaseSeconds * 1_000; ; ) {
      await pause((leaseSeconds * 1_000) / 3, over.signal);
      const asked = Date.now();
      try {
        const { state } = await client.workerTasks.extend(task, { leaseSeconds }, { signal: over.signal });
        if (state === 'cancelled') return ender.abort(new TaskEnded('cancelled'));
        leaseEnds = asked + leaseSeconds * 1_000;
      } catch (error) {
        if (over.signal.aborted) return;
        if (isLost(error) || Date.now() >= leaseEnds) return ender.abort(new TaskEnded('lease-lost'));
        onError(error, task);
      }
    }
  })().catch(() => {});
  return { end: () => over.abort() };
}

/** Rejects when the signal aborts because the worker stops. Otherwise it never settles. */
function untilStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => {
      if (signal.reason instanceof TaskEnded && signal.reason.reason === 'stopping') reject(signal.reason);
    };
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Sends a result until it is accepted or refused. The end of the lease aborts it. */
async function untilAnswered(
  send: () => Promise<unknown>,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  for (let failures = 1; ; failures++) {
    try {
      await send();
      return;
    } catch (error) {
      if (signal.aborted || !passes(error)) throw error;
      onError(error);
      await pause(pauseMs(failures, error), signal);
    }
  }
}

function failureOf(error: unknown): TaskFailureParams {
  const text = error instanceof Error ? error.message : String(error);
  // The service accepts neither NUL nor unpaired surrogates, which the cut can create.
  const message = text.slice(0, 2_000).replace(/[\0\p{Surrogate}]/gu, '\uFFFD') || 'the handler failed';
  return error instanceof TaskFailure ? { message, ...error.details } : { message };
}

/** True if the lease has expired or the task has ended. */
function isLost(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 409 || error.status === 404);
}

/** True if the same request can succeed later. */
function passes(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return error.status === undefined || error instanceof ServiceRateLimitError || error instanceof ServiceServerError;
}

/**
 * Returns a delay that grows with consecutive failures, with jitter, so that workers that failed together do not retry
 * together.
 */
function pauseMs(failures: number, error: unknown): number {
  const asked = error instanceof ServiceError ? (error.retryAfter ?? 0) * 1_000 : 0;
  const ceiling = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));
  return asked + (ceiling / 2) * (1 + Math.random());
}
