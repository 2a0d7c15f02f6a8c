import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { PAGE_POOL_HEADROOM_MIB } from '#api/threads/page-pool-headroom.ts';
import { threadEnvironment } from '#api/threads/thread-environment.ts';
import { decoyHash } from './decoy-hash.ts';
import { END, type HashAnswer, type HashTask } from './hash-message.ts';
import { preHash } from './pre-hash.ts';

/** Slow hashing of passwords and of key secrets, outside the event loop. */
export interface Hasher {
  /** Returns a new bcrypt hash. Rejects with `HasherBusy` when the queue is full. */
  hash(secret: string): Promise<string>;
  /**
   * True if the hash was created from this secret. An invalid hash matches nothing. Rejects with `HasherBusy` when the
   * queue is full.
   */
  verify(secret: string, hash: string): Promise<boolean>;
  /** A hash of the same cost that nothing matches, for an account without a password. */
  readonly decoy: string;
  /** Number of queued and running tasks. */
  pending(): number;
  /** Stops the threads: queued tasks are rejected, running tasks are completed. */
  close(): Promise<void>;
}

export interface HasherOptions {
  /** Default: one per core, at most four. */
  readonly threads?: number;
  /** Maximum number of queued tasks. Default 64: on two cores the last of them waits less than 2 s. */
  readonly maxQueued?: number;
  /** bcrypt cost, as a power of two. Default 10: about 50 ms. */
  readonly cost?: number;
  /** Idle time after which a thread ends, ms. Default 60,000: a thread takes 8 MiB, and 50 ms to start. */
  readonly idleMs?: number;
}

/** The queue is full. Responded with 429; nothing was done. */
export class HasherBusy extends Error {
  override readonly name = 'HasherBusy';
  /** Time after which the queue is likely to have room. */
  readonly retryAfterSeconds = 2;
}

interface Pending {
  readonly task: HashTask;
  readonly resolve: (value: string | boolean) => void;
  readonly reject: (error: Error) => void;
}

const MIB_OF_A_THREAD = { maxOldGenerationSizeMb: 16 + PAGE_POOL_HEADROOM_MIB, maxYoungGenerationSizeMb: 2 };

/**
 * Creates a hasher with separate threads. bcrypt's asynchronous calls would run in the four libuv threads: file reads
 * and name look-ups would wait behind hashes of 50 ms each, and the queue would be unbounded. Threads start with the
 * first tasks and end after an idle time.
 */
export function createHasher(options: HasherOptions = {}): Hasher {
  const { threads = Math.min(4, availableParallelism()), maxQueued = 64, cost = 10, idleMs = 60_000 } = options;
  /** Idle threads with their end timers. The most recently used thread is used first. */
  const idle = new Map<Worker, NodeJS.Timeout>();
  const running = new Map<Worker, Pending | undefined>();
  const waiting: Pending[] = [];
  let closed = false;

  function run(task: HashTask): Promise<string | boolean> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(new Error('the hasher is closed'));
      const pending = { task, resolve, reject };
      const worker = takeIdle() ?? (running.size < threads ? startThread() : undefined);
      if (worker !== undefined) assign(worker, pending);
      else if (waiting.length < maxQueued) waiting.push(pending);
      else reject(new HasherBusy('too many hashes are waiting'));
    });
  }

  function takeIdle(): Worker | undefined {
    const [worker, end] = [...idle].at(-1) ?? [];
    if (worker === undefined) return undefined;
    clearTimeout(end);
    idle.delete(worker);
    return worker;
  }

  function assign(worker: Worker, pending: Pending): void {
    running.set(worker, pending);
    worker.ref(); // a process does not end while a hash is awaited, and is not kept alive by idle threads
    worker.postMessage(pending.task);
  }

  function startThread(): Worker {
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), {
      name: 'hasher',
      env: threadEnvironment(),
      execArgv: [],
      resourceLimits: MIB_OF_A_THREAD,
    });
    running.set(worker, undefined);
    worker.on('message', (answer: HashAnswer) => {
      const done = running.get(worker);
      running.set(worker, undefined);
      const next = waiting.shift();
      if (next !== undefined) assign(worker, next);
      else if (!closed) {
        worker.unref();
        idle.set(worker, setTimeout(endThread, idleMs, worker).unref());
      }
      if ('error' in answer) done?.reject(new Error(answer.error));
      else done?.resolve(answer.value);
    });
    worker.on('error', (cause) => lose(worker, new Error('a hashing thread failed', { cause })));
    worker.on('exit', () => lose(worker, new Error('a hashing thread ended')));
    return worker;
  }

  function endThread(worker: Worker): void {
    idle.delete(worker);
    running.delete(worker);
    worker.postMessage(END);
  }

  /** Handles a thread that died: its task is rejected, and a new thread continues the queue. */
  function lose(worker: Worker, error: Error): void {
    if (!running.has(worker)) return;
    const lost = running.get(worker);
    running.delete(worker);
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    lost?.reject(error);
    const next = closed ? undefined : waiting.shift();
    if (next !== undefined) assign(startThread(), next);
  }

  return {
    hash: async (secret) => (await run({ digest: preHash(secret), cost })) as string,
    verify: async (secret, hash) => (await run({ digest: preHash(secret), hash })) as boolean,
    decoy: decoyHash(cost),
    pending: () => waiting.length + running.size - idle.size,
    async close() {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(new Error('the hasher was closed'));
      await Promise.all([...running.keys()].map(end));
    },
  };
}

/**
 * Ends a thread after its running task. `terminate()` during bcrypt's native code, or while that is loaded, would throw
 * where nothing can catch it, and abort the whole process.
 */
async function end(worker: Worker): Promise<void> {
  // Not `once` of node:events, which rejects on an error: a thread that fails while it ends has also ended.
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.ref();
  worker.postMessage(END);
  await ended;
}
