import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { checkName } from './check-name.ts';
import type { ScriptStart } from './messages.ts';
import { type Sandbox, SandboxFailure, type SandboxResult, type SandboxScript, type ScriptLimits } from './port.ts';
import { type SandboxThread, startThread } from './thread.ts';

export interface SandboxOptions extends Partial<ScriptLimits> {
  /**
   * Number of concurrent scripts. A script that waits for a host call keeps its thread. Default: one per core, at most
   * four.
   */
  readonly threads?: number;
  /**
   * Limit of the sum of the memory limits of running scripts. A script with a larger limit runs alone. Default 256 MiB.
   */
  readonly totalMemoryBytes?: number;
  /** Maximum number of queued scripts. Default 1,000. */
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

interface Waiting {
  readonly account: string | undefined;
  readonly memoryBytes: number;
  readonly start: (thread: SandboxThread) => void;
  readonly reject: (error: SandboxFailure) => void;
}

/**
 * Runs untrusted JavaScript in an interpreter (QuickJS in WebAssembly) in a thread. There are three nested boundaries:
 * the limits of the interpreter on time, memory and stack; the memory of the WebAssembly instance, which is new for
 * every script; and the thread, which is terminated if it does not respond in time. A thread runs scripts of one
 * account only, and is reused only if its last script left nothing behind. `node:vm` is not a security boundary and is
 * not used. Long: its functions share the threads and their memory budget.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const {
    threads: most = Math.min(4, availableParallelism()),
    totalMemoryBytes = DEFAULT_TOTAL_BYTES,
    maxQueued = 1_000,
    ...given
  } = options;
  const threads = new Set<SandboxThread>();
  /** Idle threads, least recently used first. */
  const idle: SandboxThread[] = [];
  const queue: Waiting[] = [];
  /** Sum of the memory limits of scripts that run or are about to. */
  let memoryBytes = 0;
  let closed = false;

  async function run(script: SandboxScript, signal?: AbortSignal): Promise<SandboxResult> {
    if (closed || signal?.aborted) throw new SandboxFailure('aborted', 'the script was not started');
    const start = startOf(script, { ...DEFAULTS, ...given, ...script.limits });
    const thread = await takeThread(script.account, start.limits.memoryBytes, signal);
    try {
      return await thread.run(start, script, signal);
    } finally {
      giveBack(thread, start.limits.memoryBytes);
    }
  }

  /** True if a thread and memory are available for one more script. */
  function hasRoom(bytes: number): boolean {
    return threads.size - idle.length < most && (memoryBytes === 0 || memoryBytes + bytes <= totalMemoryBytes);
  }

  function begin(account: string | undefined, bytes: number): SandboxThread {
    memoryBytes += bytes;
    return idleOf(account) ?? addThread(account);
  }

  function takeThread(
    account: string | undefined,
    bytes: number,
    signal: AbortSignal | undefined,
  ): Promise<SandboxThread> {
    if (queue.length === 0 && hasRoom(bytes)) return Promise.resolve(begin(account, bytes));
    if (queue.length >= maxQueued)
      return Promise.reject(new SandboxFailure('busy', `more than ${maxQueued} scripts are queued`));
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1);
        startWaiting();
        reject(new SandboxFailure('aborted', 'the script was not started'));
      };
      const waiting: Waiting = {
        account,
        memoryBytes: bytes,
        start(thread) {
          signal?.removeEventListener('abort', leave);
          resolve(thread);
        },
        reject(error) {
          signal?.removeEventListener('abort', leave);
          reject(error);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      queue.push(waiting);
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

  function giveBack(thread: SandboxThread, bytes: number): void {
    memoryBytes -= bytes;
    if (thread.reusable() && !closed) idle.push(thread);
    else remove(thread);
    startWaiting();
  }

  function startWaiting(): void {
    for (let [next] = queue; next !== undefined && hasRoom(next.memoryBytes); [next] = queue) {
      queue.shift();
      next.start(begin(next.account, next.memoryBytes));
    }
  }

  return {
    run,
    pending: () => queue.length + threads.size - idle.length,
    async close() {
      closed = true;
      for (const { reject } of queue.splice(0)) reject(new SandboxFailure('aborted', 'the sandbox was closed'));
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
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
