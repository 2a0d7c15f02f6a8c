import type { Interpreter } from './interpreter.ts';
import type { ScriptFailed, ScriptStart } from './messages.ts';
import type { SandboxFailureReason } from './port.ts';

/** A limit of ours that was reached; kept outside the script, which could catch what is thrown into it. */
export interface ReachedLimit {
  readonly reason: SandboxFailureReason;
  readonly message: string;
}

/** The limits of one script, and the first of them that it reached. */
export interface LimitCheck {
  /** The limit that was reached, if any. */
  reached(): ReachedLimit | undefined;
  /** Records that a limit was reached; the first one counts. */
  reach(limit: ReachedLimit): void;
  /** Returns the limit that was reached, memory included: a script that catches the error of the interpreter must not go on. */
  checkMemory(): ReachedLimit | undefined;
  /** True when the interpreter has to interrupt the script. */
  interrupts(): boolean;
  /** Runs a part of the script and counts its processor time. */
  count<T>(step: () => T): T;
  /** The failure of a script that reached a limit. */
  failure(): ScriptFailed;
  /** The failure of a script that needs more memory than it may. */
  outOfMemory(): ScriptFailed;
}

export const TOO_DEEP: ScriptFailed = {
  type: 'failed',
  reason: 'stack',
  message: 'the script calls itself too deeply',
};

/** What this thread has computed so far: on a busy machine the clock goes on while others do. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export function createLimitCheck(interpreter: Interpreter, limits: ScriptStart['limits']): LimitCheck {
  let first: ReachedLimit | undefined;
  let computedMs = 0;
  let deadline = 0;
  const memory: ReachedLimit = { reason: 'memory', message: `the script needs more than ${limits.memoryBytes} bytes` };

  function checkMemory(): ReachedLimit | undefined {
    if (interpreter.exhausted()) first ??= memory;
    return first;
  }

  return {
    reached: () => first,
    reach(limit) {
      first ??= limit;
    },
    checkMemory,
    interrupts() {
      if (checkMemory() === undefined && processorMs() > deadline)
        first = { reason: 'time', message: `the script computes for longer than ${limits.timeMs} ms` };
      return first !== undefined;
    },
    count(step) {
      const began = processorMs();
      deadline = began + limits.timeMs - computedMs;
      const result = step();
      computedMs += processorMs() - began;
      return result;
    },
    failure: () => ({ type: 'failed', ...(first ?? { reason: 'error', message: 'the script failed' }) }),
    outOfMemory: () => ({ type: 'failed', ...memory }),
  };
}
