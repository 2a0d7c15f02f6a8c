import { Worker } from 'node:worker_threads';
import { limitThread } from './limit-thread.ts';
import { threadEnvironment } from './thread-environment.ts';

/**
 * Threads for work whose cost the author of the data decides: each does one request at a time and is terminated when one exceeds its limit of time or
 * memory. Requests of one key (an account) are served in order; keys take turns, and one key never has the last free thread.
 *
 * The file of the thread posts `'ready'` once, and one reply per request.
 */
export interface BoundedThreads<Request, Reply> {
  /**
   * Rejects with `ThreadLimitError`, which the request caused, or `ThreadsBusyError`, which it did not. `timeLimitMs`: less than the limit of all
   * requests.
   */
  run(request: Request, key?: string, timeLimitMs?: number): Promise<Reply>;
  close(): Promise<void>;
}

export interface BoundedThreadsOptions {
  readonly file: URL;
  readonly threads: number;
  /** Of one request, see `limitThread`. */
  readonly timeLimitMs: number;
  /** Waiting at most, of all keys. */
  readonly maxQueued: number;
  /** Waiting at most of one key. Default: all of them. */
  readonly maxQueuedOfKey?: number;
  /** After so long without a request a thread ends. */
  readonly idleMs: number;
  readonly memoryMb: number;
  readonly stackMb: number;
}

/** The request exceeded a limit of its thread; it would again. */
export class ThreadLimitError extends Error {
  override readonly name = 'ThreadLimitError';
  readonly limit: 'time' | 'memory' | 'exit';

  constructor(limit: 'time' | 'memory' | 'exit') {
    super(limit === 'time' ? 'the time limit was exceeded' : 'the thread ended');
    this.limit = limit;
  }
}

/** Too many requests are waiting, or the threads are closed: the same request can succeed later. */
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
 * Threads start with the first request and do not keep the process alive while they are idle.
 * Long: its functions share the threads and the queue.
 */
export function createBoundedThreads<Request, Reply>(options: BoundedThreadsOptions): BoundedThreads<Request, Reply> {
  const threads = new Set<Thread<Request, Reply>>();
  /** In the order of whose turn is next. */
  const queues = new Map<string, Task<Request, Reply>[]>();
  let queued = 0;
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

  /** Takes the finished task off a thread. */
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
    // A thread that ends before it is ready would end again and again.
    if (!thread.ready) rejectQueued('the threads do not start');
    dispatch();
  }

  function rejectQueued(message: string): void {
    for (const queue of queues.values()) for (const task of queue) task.settle.reject(new ThreadsBusyError(message));
    queues.clear();
    queued = 0;
  }

  /** The first task of the key whose turn is next, leaving out keys that have their share of the threads. */
  function next(): Task<Request, Reply> | undefined {
    for (const [key, queue] of queues) {
      let running = 0;
      for (const { task } of threads) if (task?.key === key) running++;
      if (running >= maxOfKey) continue;
      const task = queue.shift();
      queues.delete(key);
      if (queue.length > 0) queues.set(key, queue);
      queued--;
      return task;
    }
    return undefined;
  }

  function dispatch(): void {
    if (closed) return;
    for (const thread of threads) {
      if (!thread.ready || thread.task !== undefined) continue;
      const task = next();
      if (task === undefined) return;
      clearTimeout(thread.idle);
      thread.task = task;
      thread.worker.ref();
      thread.stopLimit = limitThread(thread.worker, task.timeLimitMs, () => end(thread, 'time'));
      thread.worker.postMessage(task.request);
    }
    let starting = 0;
    for (const thread of threads) if (!thread.ready) starting++;
    while (queued > starting && threads.size < options.threads) {
      start();
      starting++;
    }
    // A request that waits for a thread keeps the process alive.
    if (queued > 0) for (const { worker } of threads) worker.ref();
  }

  return {
    run(request, key = '', timeLimitMs = options.timeLimitMs) {
      if (closed) return Promise.reject(new ThreadsBusyError('the threads are closed'));
      const queue = queues.get(key) ?? [];
      if (queued >= options.maxQueued || queue.length >= (options.maxQueuedOfKey ?? options.maxQueued))
        return Promise.reject(new ThreadsBusyError('too many requests are waiting'));
      const settled = Promise.withResolvers<Reply>();
      queue.push({ request, key, timeLimitMs, settle: settled });
      queues.set(key, queue);
      queued++;
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
