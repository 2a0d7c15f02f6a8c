import { availableParallelism } from 'node:os';
import { checkName } from './check-name.ts';
import type { ToThread } from './messages.ts';
import { type Sandbox, SandboxFailure, type SandboxResult, type SandboxScript, type ScriptLimits } from './port.ts';
import { type SandboxThread, startThread } from './thread.ts';

export interface SandboxOptions extends Partial<ScriptLimits> {
  /** Scripts at once; one that waits for a host call holds its thread. Default: one a core, four at most. */
  readonly threads?: number;
  /** Scripts that may wait for a thread. Default 1,000. */
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

interface Waiting {
  readonly start: (thread: SandboxThread) => void;
  readonly reject: (error: SandboxFailure) => void;
}

/**
 * Untrusted JavaScript in an interpreter of its own (QuickJS in WebAssembly) in a thread of its own. Three borders, one in the other: the
 * interpreter's limits of time, memory and stack; the memory of the WebAssembly instance; and the thread, which is ended when it does not answer
 * in time. `node:vm` is no border and has no part in it. Threads start with the first scripts and stay.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { threads: most = Math.min(4, availableParallelism()), maxQueued = 1_000, ...given } = options;
  const threads = new Set<SandboxThread>();
  const idle: SandboxThread[] = [];
  const queue: Waiting[] = [];
  let closed = false;

  async function run(script: SandboxScript, signal?: AbortSignal): Promise<SandboxResult> {
    if (closed || signal?.aborted) throw new SandboxFailure('aborted', 'the script was not started');
    const message = messageOf(script, { ...DEFAULTS, ...given, ...script.limits });
    const thread = await takeThread(signal);
    try {
      return await thread.run(message, script, signal);
    } finally {
      giveBack(thread);
    }
  }

  function takeThread(signal: AbortSignal | undefined): Promise<SandboxThread> {
    const free = idle.pop() ?? (threads.size < most ? addThread() : undefined);
    if (free !== undefined) return Promise.resolve(free);
    if (queue.length >= maxQueued)
      return Promise.reject(new SandboxFailure('busy', `more than ${maxQueued} scripts wait`));
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(new SandboxFailure('aborted', 'the script was not started'));
      };
      const waiting: Waiting = {
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

  function addThread(): SandboxThread {
    const thread = startThread();
    threads.add(thread);
    return thread;
  }

  /** A thread that was ended with its script has a follower. */
  function giveBack(thread: SandboxThread): void {
    if (!thread.alive()) threads.delete(thread);
    if (closed) return;
    const next = queue.shift();
    if (next !== undefined) next.start(thread.alive() ? thread : addThread());
    else if (thread.alive()) idle.push(thread);
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

function messageOf(script: SandboxScript, limits: ScriptLimits): Extract<ToThread, { type: 'run' }> {
  for (const name of Object.keys(script.arguments ?? {})) checkName(name);
  return {
    type: 'run',
    code: script.code,
    argumentsJson: JSON.stringify(script.arguments ?? {}),
    environmentJson: JSON.stringify(script.environment ?? {}),
    hostCalls: Object.keys(script.hostCalls ?? {}),
    limits,
  };
}
