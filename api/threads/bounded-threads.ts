import { Worker } from 'node:worker_threads';
import { createFairQueue } from './fair-queue.ts';
import { limitThread } from './limit-thread.ts';
import { threadEnvironment } from './thread-environment.ts';

/**
 * Threads for work whose cost depends on user data. Each thread runs one request at a time. It is terminated if the
 * request exceeds its time or memory limit. Requests with the same key (an account) are served in FIFO order, and keys
 * are served round-robin. One key never uses the last free thread.
 *
 * The file of the thread posts `'ready'` once, and one reply per request.
 */
export interface BoundedThreads<Request, Reply> {
  /**
   * Runs a request. Rejects with `ThreadLimitError` (permanent, caused by the request) or `ThreadsBusyError`
   * (temporary). `timeLimitMs`: overrides the general limit with a lower one.
   */
  run(request: Request, key?: string, timeLimitMs?: number): Promise<Reply>;
  close(): Promise<void>;
}

export interface BoundedThreadsOptions {
  readonly file: URL;
  readonly threads: number;
  /** Time limit of one request, see `limitThread`. */
  readonly timeLimitMs: number;
  /** Maximum number of queued requests of all keys. */
  readonly maxQueued: number;
  /** Maximum number of queued requests per key. Default: `maxQueued`. */
  readonly maxQueuedOfKey?: number;
  /** An idle thread ends after this time. */
  readonly idleMs: number;
  readonly memoryMb: number;
  readonly stackMb: number;
}

/** The request exceeded a limit of its thread. A retry would exceed it again. */
export class ThreadLimitError extends Error {
  override readonly name = 'ThreadLimitError';
  readonly limit: 'time' | 'memory' | 'exit';

  constructor(limit: 'time' | 'memory' | 'exit') {
    super(limit === 'time' ? 'the time limit was exceeded' : 'the thread ended');
    this.limit = limit;
  }
}

/** Too many requests are queued, or the threads are closed. The same request can succeed later. */
export class ThreadsBusyError extends Error {
  override readonly name = 'ThreadsBusyError';
}

export const READY = 'ready';

interface Task<Request, Reply> {
  readonly request: Request;
  readonly key: string;
  readonly timeLimitMs: number;
  readonly settle: PromiseWithResolvers<Reply>;
}

interface Thread<Request, Reply> {
  readonly worker: Worker;
  ready: boolean;
  task: Task<Request, Reply> | undefined;
  stopLimit: (() => void) | undefined;
  idle: NodeJS.Timeout | undefined;
}

/**
 * Creates the threads. They start with the first request and do not keep the process alive while idle. Long: its
 * functions share the threads and the queue.
 */
export function createBoundedThreads<Request, Reply>(options: BoundedThreadsOptions): BoundedThreads<Request, Reply> {
  const threads = new Set<Thread<Request, Reply>>();
  const queue = createFairQueue<Task<Request, Reply>>();
  let closed = false;
  const maxOfKey = Math.max(1, options.threads - 1);

  function start(): void {
    const worker = new Worker(options.file, {
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb, stackSizeMb: options.stackMb },
      env: threadEnvironment(),
      argv: [],
    });
    const thread: Thread<Request, Reply> = {
      worker,
      ready: false,
      task: undefined,
      stopLimit: undefined,
      idle: undefined,
    };
    threads.add(thread);
    worker.on('message', (reply: Reply | typeof READY) => {
      if (!threads.has(thread)) return;
      if (reply === READY) thread.ready = true;
      else settle(thread)?.resolve(reply as Reply);
      rest(thread);
      dispatch();
    });
    worker.on('error', () => end(thread, 'memory'));
    worker.on('exit', () => end(thread, 'exit'));
  }

  /** Removes the finished task from a thread. */
  function settle(thread: Thread<Request, Reply>): PromiseWithResolvers<Reply> | undefined {
    const { task } = thread;
    thread.stopLimit?.();
    thread.task = undefined;
    return task?.settle;
  }

  function rest(thread: Thread<Request, Reply>): void {
    thread.worker.unref();
    clearTimeout(thread.idle);
    thread.idle = setTimeout(() => {
      threads.delete(thread);
      void thread.worker.terminate();
    }, options.idleMs).unref();
  }

  function end(thread: Thread<Request, Reply>, limit: ThreadLimitError['limit']): void {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.idle);
    settle(thread)?.reject(new ThreadLimitError(limit));
    void thread.worker.terminate();
    // A thread that ends before it is ready would fail again on each restart.
    if (!thread.ready) rejectQueued('the threads do not start');
    dispatch();
  }

  function rejectQueued(message: string): void {
    for (const task of queue.drain()) task.settle.reject(new ThreadsBusyError(message));
  }

  /** True if a key has not reached its share of the threads. */
  function mayBegin(key: string): boolean {
    let running = 0;
    for (const { task } of threads) if (task?.key === key) running++;
    return running < maxOfKey;
  }

  function dispatch(): void {
    if (closed) return;
    for (const thread of threads) {
      if (!thread.ready || thread.task !== undefined) continue;
      const task = queue.take((_task, key) => mayBegin(key));
      if (task === undefined) return;
      clearTimeout(thread.idle);
      thread.task = task;
      thread.worker.ref();
      thread.stopLimit = limitThread(thread.worker, task.timeLimitMs, () => end(thread, 'time'));
      thread.worker.postMessage(task.request);
    }
    let starting = 0;
    for (const thread of threads) if (!thread.ready) starting++;
    while (queue.size > starting && threads.size < options.threads) {
      start();
      starting++;
    }
    // A request that waits for a thread keeps the process alive.
    if (queue.size > 0) for (const { worker } of threads) worker.ref();
  }

  return {
    run(request, key = '', timeLimitMs = options.timeLimitMs) {
      if (closed) return Promise.reject(new ThreadsBusyError('the threads are closed'));
      if (queue.size >= options.maxQueued || queue.sizeOf(key) >= (options.maxQueuedOfKey ?? options.maxQueued))
        return Promise.reject(new ThreadsBusyError('too many requests are waiting'));
      const settled = Promise.withResolvers<Reply>();
      queue.push(key, { request, key, timeLimitMs, settle: settled });
      dispatch();
      return settled.promise;
    },
    async close() {
      closed = true;
      rejectQueued('the threads are closed');
      const ending = [...threads];
      threads.clear();
      for (const thread of ending) {
        clearTimeout(thread.idle);
        settle(thread)?.reject(new ThreadsBusyError('the threads are closed'));
      }
      await Promise.all(ending.map(({ worker }) => worker.terminate()));
    },
  };
}
