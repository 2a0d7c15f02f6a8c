import { Worker } from 'node:worker_threads';
import { threadEnvironment } from '../../thread-environment.ts';
import { limitThread } from '../limit-thread.ts';
import { ExpressionError, ExpressionsBusyError } from './expression-error.ts';
import type { JqReply, JqRequest, JqWorkerData } from './jq-worker.ts';

/** Threads that evaluate jq, each one program at a time. A thread that takes too long is ended and another one takes its place. */
export interface JqPool {
  /** Gives jq's output. Rejects with ExpressionError (the program's fault) or ExpressionsBusyError (try again later). */
  run(request: JqRequest): Promise<string>;
  close(): Promise<void>;
}

export interface JqPoolOptions extends JqWorkerData {
  readonly threads: number;
  /** From the moment a thread begins with a program; time in which the machine does not let it work counts less. */
  readonly timeLimitMs: number;
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
  stopLimit: (() => void) | undefined;
}

/** Threads start when the first expression comes, and do not keep the process alive while they have nothing to do. */
export function createJqPool(options: JqPoolOptions): JqPool {
  const threads = new Set<Thread>();
  const waiting: Task[] = [];
  let closed = false;

  function start(): void {
    // What the module prints when it aborts belongs into no log.
    const worker = new Worker(new URL('./jq-worker.ts', import.meta.url), {
      workerData: { memoryBytes: options.memoryBytes, maxOutputChars: options.maxOutputChars } satisfies JqWorkerData,
      env: threadEnvironment(),
      stdout: true,
      stderr: true,
    });
    worker.unref();
    const thread: Thread = { worker, ready: false, task: undefined, stopLimit: undefined };
    threads.add(thread);
    worker.on('message', (reply: JqReply) => receive(thread, reply));
    worker.on('error', () => retire(thread, 'it ended the evaluator'));
    worker.on('exit', () => retire(thread, 'it ended the evaluator'));
  }

  function receive(thread: Thread, reply: JqReply): void {
    if ('ready' in reply) {
      thread.ready = true;
      thread.worker.unref();
    } else {
      const task = settle(thread);
      if ('value' in reply) task?.resolve(reply.value);
      else task?.reject(new ExpressionError(reply.error));
      if ('dead' in reply && reply.dead) retire(thread, 'it ended the evaluator');
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
      // Threads that cannot even start are not started for ever: those who wait are told.
      for (const task of waiting.splice(0)) task.reject(new ExpressionsBusyError('the evaluator does not start'));
    }
    dispatch();
  }

  function dispatch(): void {
    if (closed) return;
    for (const thread of threads) {
      if (!thread.ready || thread.task !== undefined) continue;
      const task = waiting.shift();
      if (task === undefined) return;
      thread.task = task;
      thread.worker.ref();
      thread.stopLimit = limitThread(thread.worker, options.timeLimitMs, () =>
        retire(thread, `it takes longer than ${options.timeLimitMs} ms`),
      );
      thread.worker.postMessage({ program: task.program, document: task.document } satisfies JqRequest);
    }
    while (waiting.length > 0 && threads.size < options.threads) start();
    // Whoever waits for a thread that is starting keeps the process alive.
    if (waiting.length > 0) for (const thread of threads) thread.worker.ref();
  }

  return {
    run({ program, document }) {
      if (closed) return Promise.reject(new ExpressionsBusyError('the evaluator is closed'));
      if (waiting.length >= options.maxQueued)
        return Promise.reject(new ExpressionsBusyError('too many expressions are waiting'));
      return new Promise((resolve, reject) => {
        waiting.push({ program, document, resolve, reject });
        dispatch();
      });
    },
    async close() {
      closed = true;
      for (const task of waiting.splice(0)) task.reject(new ExpressionsBusyError('the evaluator is closed'));
      const ending = [...threads];
      for (const thread of ending) {
        threads.delete(thread);
        settle(thread)?.reject(new ExpressionsBusyError('the evaluator is closed'));
      }
      await Promise.all(ending.map((thread) => thread.worker.terminate()));
    },
  };
}
