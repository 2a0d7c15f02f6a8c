import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createFairQueue } from '#api/threads/fair-queue.ts';
import { checkName } from './check-name.ts';
import type { ScriptStart } from './messages.ts';
import { type Sandbox, SandboxFailure, type SandboxResult, type SandboxScript, type ScriptLimits } from './port.ts';
import { type SandboxThread, startThread } from './thread.ts';

export interface SandboxOptions extends Partial<ScriptLimits> {
  /**
   * Number of concurrent scripts. A script that waits for a host call keeps its thread. One account never uses the last
   * thread. Default: one more than cores, at most five.
   */
  readonly threads?: number;
  /**
   * Limit of the sum of the memory limits of running scripts. A script with a larger limit runs alone. A quarter more is
   * reserved for one script of an account that has none running. Default 256 MiB.
   */
  readonly totalMemoryBytes?: number;
  /** Maximum number of queued scripts. One account can use half of it. Default 1,000. */
  readonly maxQueued?: number;
}

const DEFAULTS: ScriptLimits = {
  timeMs: 1_000,
  wallMs: 600_000,
  memoryBytes: 32 * 2 ** 20,
  valueLength: 4 * 2 ** 20,
  logLength: 256 * 2 ** 10,
  hostCalls: 10_000,
};

const DEFAULT_TOTAL_BYTES = 256 * 2 ** 20;

/** A thread, and the memory that its script may take. */
interface Place {
  readonly thread: SandboxThread;
  readonly memory: 'shared' | 'reserved';
}

interface Waiting {
  readonly account: string | undefined;
  readonly memoryBytes: number;
  readonly start: (place: Place) => void;
  readonly reject: (error: SandboxFailure) => void;
}

/**
 * Runs untrusted JavaScript in an interpreter (QuickJS in WebAssembly) in a thread. There are three nested boundaries:
 * the limits of the interpreter on time, memory and stack; the memory of the WebAssembly instance, which is new for
 * every script; and the thread, which is terminated if it does not respond in time. A thread runs scripts of one
 * account only, and is reused only if its last script left nothing behind. `node:vm` is not a security boundary and is
 * not used. Accounts take turns. Long: its functions share the threads and their memory budget.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const {
    threads: most = Math.min(4, availableParallelism()) + 1,
    totalMemoryBytes = DEFAULT_TOTAL_BYTES,
    maxQueued = 1_000,
    ...given
  } = options;
  const threads = new Set<SandboxThread>();
  /** Idle threads, least recently used first. */
  const idle: SandboxThread[] = [];
  const queue = createFairQueue<Waiting>();
  /** Number of scripts that run or are about to, by account. */
  const running = new Map<string, number>();
  const mostOfAccount = Math.max(1, most - 1);
  const reservedBytes = totalMemoryBytes / 4;
  /** Sum of the memory limits of scripts that run or are about to, without the reserve. */
  let memoryBytes = 0;
  let reserveIsFree = true;
  let closed = false;

  async function run(script: SandboxScript, signal?: AbortSignal): Promise<SandboxResult> {
    if (closed || signal?.aborted) throw new SandboxFailure('aborted', 'the script was not started');
    const start = startOf(script, { ...DEFAULTS, ...given, ...script.limits });
    const place = await takePlace(script.account, start.limits.memoryBytes, signal);
    try {
      return await place.thread.run(start, script, signal);
    } finally {
      giveBack(place, script.account, start.limits.memoryBytes);
    }
  }

  function begin({ account, memoryBytes: bytes }: Waiting, memory: Place['memory']): Place {
    if (memory === 'shared') memoryBytes += bytes;
    else reserveIsFree = false;
    const key = keyOf(account);
    running.set(key, (running.get(key) ?? 0) + 1);
    return { thread: idleOf(account) ?? addThread(account), memory };
  }

  function takePlace(account: string | undefined, bytes: number, signal: AbortSignal | undefined): Promise<Place> {
    const key = keyOf(account);
    if (queue.size >= maxQueued || queue.sizeOf(key) >= maxQueued / 2)
      return Promise.reject(new SandboxFailure('busy', `too many scripts are queued (${queue.size})`));
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.remove(key, waiting);
        startWaiting();
        reject(new SandboxFailure('aborted', 'the script was not started'));
      };
      const waiting: Waiting = {
        account,
        memoryBytes: bytes,
        start(place) {
          signal?.removeEventListener('abort', leave);
          resolve(place);
        },
        reject(error) {
          signal?.removeEventListener('abort', leave);
          reject(error);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      queue.push(key, waiting);
      startWaiting();
    });
  }

  function idleOf(account: string | undefined): SandboxThread | undefined {
    const at = account === undefined ? -1 : idle.findLastIndex((thread) => thread.account === account);
    return at < 0 ? undefined : idle.splice(at, 1)[0];
  }

  /** Starts a thread. At the maximum number of threads, replaces the one that has been idle longest. */
  function addThread(account: string | undefined): SandboxThread {
    const replaced = threads.size < most ? undefined : idle.shift();
    if (replaced !== undefined) remove(replaced);
    const thread = startThread(account);
    threads.add(thread);
    return thread;
  }

  function remove(thread: SandboxThread): void {
    threads.delete(thread);
    void thread.end();
  }

  function giveBack({ thread, memory }: Place, account: string | undefined, bytes: number): void {
    if (memory === 'shared') memoryBytes -= bytes;
    else reserveIsFree = true;
    const key = keyOf(account);
    const left = (running.get(key) ?? 1) - 1;
    if (left === 0) running.delete(key);
    else running.set(key, left);
    if (thread.reusable() && !closed) idle.push(thread);
    else remove(thread);
    startWaiting();
  }

  function startWaiting(): void {
    while (threads.size - idle.length < most) {
      let memory: Place['memory'] = 'shared';
      // A script that waits for memory is overtaken only from the reserve. Otherwise small scripts could delay a large
      // one without end.
      let memoryIsAwaited = false;
      const next = queue.take(({ memoryBytes: bytes }, key) => {
        const ofAccount = running.get(key) ?? 0;
        if (ofAccount >= mostOfAccount) return false;
        const fits = memoryBytes === 0 || memoryBytes + bytes <= totalMemoryBytes;
        memory = fits && !memoryIsAwaited ? 'shared' : 'reserved';
        if (memory === 'shared') return true;
        memoryIsAwaited = true;
        return reserveIsFree && ofAccount === 0 && bytes <= reservedBytes;
      });
      if (next === undefined) return;
      next.start(begin(next, memory));
    }
  }

  return {
    run,
    pending: () => queue.size + threads.size - idle.length,
    async close() {
      closed = true;
      for (const { reject } of queue.drain()) reject(new SandboxFailure('aborted', 'the sandbox was closed'));
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

function keyOf(account: string | undefined): string {
  return account ?? '';
}

function startOf(script: SandboxScript, limits: ScriptLimits): ScriptStart {
  for (const name of Object.keys(script.arguments ?? {})) checkName(name);
  return {
    type: 'run',
    run: randomUUID(),
    code: script.code,
    argumentsJson: JSON.stringify(script.arguments ?? {}),
    environmentJson: JSON.stringify(script.environment ?? {}),
    inputJson: JSON.stringify({ argv: ['node', 'script.js', ...(script.argv ?? [])], stdin: script.stdin ?? null }),
    hostCalls: Object.keys(script.hostCalls ?? {}),
    limits,
  };
}
