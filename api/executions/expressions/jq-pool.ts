import { Worker } from 'node:worker_threads';
import { createFairQueue } from '#api/threads/fair-queue.ts';
import { limitThread } from '#api/threads/limit-thread.ts';
import { threadEnvironment } from '#api/threads/thread-environment.ts';
import { ExpressionError, ExpressionsBusyError } from './expression-error.ts';
import type { JqReply, JqRequest, JqWorkerData } from './jq-worker.ts';

/**
 * A pool of threads that evaluate jq, one program at a time per thread. Accounts take turns. A thread that exceeds the
 * time limit is terminated and replaced.
 */
export interface JqPool {
  /** Resolves to the output of jq. Rejects with ExpressionError (permanent) or ExpressionsBusyError (retry later). */
  run(request: Omit<JqRequest, 'id'>): Promise<string>;
  close(): Promise<void>;
}

export interface JqPoolOptions extends JqWorkerData {
  readonly threads: number;
  /**
   * Counted from the start of a program in a thread. Time in which the machine does not schedule the thread counts
   * less.
   */
  readonly timeLimitMs: number;
  /** Maximum number of queued programs. One account can use half of it. */
  readonly maxQueued: number;
}

interface Task extends JqRequest {
  readonly resolve: (value: string) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  ready: boolean;
  task: Task | undefined;
  /** Account of the last program that ran in it. */
  account: string | undefined;
  stopLimit: (() => void) | undefined;
}

/** Unique across all pools of the process, so a reply always matches exactly one request. */
let lastId = 0;

/**
 * Creates a pool. Threads start with the first expression and do not keep the process alive while idle. Long: its
 * functions share the threads and the queue.
 */
export function createJqPool(options: JqPoolOptions): JqPool {
  const threads = new Set<Thread>();
  const waiting = createFairQueue<Task>();
  let closed = false;

  function start(): void {
    // Keeps the abort output of the module out of the log of the process.
    const worker = new Worker(new URL('./jq-worker.ts', import.meta.url), {
      workerData: { memoryBytes: options.memoryBytes, maxOutputChars: options.maxOutputChars } satisfies JqWorkerData,
      env: threadEnvironment(),
      stdout: true,
      stderr: true,
    });
    worker.unref();
    const thread: Thread = { worker, ready: false, task: undefined, account: undefined, stopLimit: undefined };
    threads.add(thread);
    worker.on('message', (reply: JqReply) => receive(thread, reply));
    worker.on('error', () => retire(thread, 'it crashed the evaluator'));
    worker.on('exit', () => retire(thread, 'it crashed the evaluator'));
  }

  function receive(thread: Thread, reply: JqReply): void {
    if (!threads.has(thread)) return;
    if ('ready' in reply) {
      thread.ready = true;
      thread.worker.unref();
    } else if (reply.id !== thread.task?.id) retire(thread, 'it crashed the evaluator');
    else {
      const task = settle(thread);
      if ('value' in reply) task?.resolve(reply.value);
      else task?.reject(new ExpressionError(reply.error));
      if ('dead' in reply && reply.dead) retire(thread, 'it crashed the evaluator');
    }
    dispatch();
  }

  function settle(thread: Thread): Task | undefined {
    const { task } = thread;
    thread.stopLimit?.();
    thread.task = undefined;
    thread.worker.unref();
    return task;
  }

  function retire(thread: Thread, reason: string): void {
    if (!threads.delete(thread)) return;
    const neverReady = !thread.ready;
    settle(thread)?.reject(new ExpressionError(reason));
    void thread.worker.terminate();
    if (neverReady) {
      // Threads that cannot start are not restarted endlessly: waiting callers receive the failure.
      for (const task of waiting.drain()) task.reject(new ExpressionsBusyError('the evaluator cannot start'));
    }
    dispatch();
  }

  /**
   * Returns the program of the next account for which a thread is free. Among the free threads, one that last served the
   * same account is preferred: for another account, the thread must start a new instance.
   */
  function next(): { readonly task: Task; readonly thread: Thread } | undefined {
    const free = [...threads].filter((thread) => thread.ready && thread.task === undefined);
    const [first] = free;
    const task = first && waiting.take(() => true);
    if (first === undefined || task === undefined) return undefined;
    return { task, thread: free.find(({ account }) => account === task.account) ?? first };
  }

  function begin(thread: Thread, task: Task): void {
    const { id, account, program, document } = task;
    thread.task = task;
    thread.account = account;
    thread.worker.ref();
    thread.stopLimit = limitThread(thread.worker, options.timeLimitMs, () =>
      retire(thread, `it takes longer than ${options.timeLimitMs} ms`),
    );
    thread.worker.postMessage({ id, account, program, document } satisfies JqRequest);
  }

  function dispatch(): void {
    if (closed) return;
    for (let started = next(); started !== undefined; started = next()) begin(started.thread, started.task);
    while (waiting.size > 0 && threads.size < options.threads) start();
    // A caller that waits for a starting thread keeps the process alive.
    if (waiting.size > 0) for (const thread of threads) thread.worker.ref();
  }

  return {
    run(request) {
      if (closed) return Promise.reject(new ExpressionsBusyError('the evaluator is closed'));
      const key = request.account ?? '';
      if (waiting.size >= options.maxQueued || waiting.sizeOf(key) >= options.maxQueued / 2)
        return Promise.reject(new ExpressionsBusyError('too many expressions are waiting'));
      return new Promise((resolve, reject) => {
        waiting.push(key, { ...request, id: ++lastId, resolve, reject });
        dispatch();
      });
    },
    async close() {
      closed = true;
      for (const task of waiting.drain()) task.reject(new ExpressionsBusyError('the evaluator is closed'));
      const ending = [...threads];
      for (const thread of ending) {
        threads.delete(thread);
        settle(thread)?.reject(new ExpressionsBusyError('the evaluator is closed'));
      }
      await Promise.all(ending.map((thread) => thread.worker.terminate()));
    },
  };
}
