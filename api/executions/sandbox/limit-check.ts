import type { Interpreter } from './interpreter.ts';
import type { ScriptFailed, ScriptStart } from './messages.ts';
import type { SandboxFailureReason } from './port.ts';

/** A limit that a script reached. Stored outside the script, which could catch an error thrown into it. */
export interface ReachedLimit {
  readonly reason: SandboxFailureReason;
  readonly message: string;
}

/** The limits of one script, and the first limit that it reached. */
export interface LimitCheck {
  /** Returns the reached limit, if any. */
  reached(): ReachedLimit | undefined;
  /** Records a reached limit. The first one wins. */
  reach(limit: ReachedLimit): void;
  /** Returns the reached limit, including memory. A script that catches an out-of-memory error must not continue. */
  checkMemory(): ReachedLimit | undefined;
  /** True if the interpreter must interrupt the script. */
  interrupts(): boolean;
  /** Runs a part of the script and adds its processor time. */
  count<T>(step: () => T): T;
  /** Returns the failure for the reached limit. */
  failure(): ScriptFailed;
  /** Returns the failure for exceeded memory. */
  outOfMemory(): ScriptFailed;
}

export const TOO_DEEP: ScriptFailed = {
  type: 'failed',
  reason: 'stack',
  message: 'the script calls itself too deeply',
};

/** Returns the processor time of this thread in ms. Wall-clock time would include other threads on a busy machine. */
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
