import { accountOf } from '../engine/account.ts';
import type { RunTask } from '../engine/contract/task-context.ts';
import { TaskFailure } from '../engine/contract/task-failure.ts';
import type { JsonValue } from '../json-value.ts';
import type { ConsoleLines } from './console-lines.ts';

type Task = Parameters<RunTask>[0];
type Context = Parameters<RunTask>[1];

/** Scripts and processes that no step waits for (`await: false`). They end with this worker. */
export interface DetachedTasks {
  /** Starts a task when there is a free slot. Rejects with the reason of the signal if that aborts while it waits. */
  begin(task: Task, context: Context): Promise<JsonValue>;
  /** Ends all tasks. */
  close(): Promise<void>;
}

/** Limits per worker, and per account. */
export interface DetachedLimits {
  readonly total: number;
  readonly perAccount: number;
}

const LIMITS: DetachedLimits = { total: 32, perAccount: 16 };

/**
 * Creates the runner of detached tasks. Their steps have ended, so a failure becomes a line in the log of the
 * execution.
 */
export function createDetachedTasks(
  { runTask, lines }: { readonly runTask: RunTask; readonly lines: ConsoleLines },
  { total, perAccount }: DetachedLimits = LIMITS,
): DetachedTasks {
  const running = new Map<Promise<void>, string>();
  const closing = new AbortController();

  async function run(task: Task, context: Context): Promise<void> {
    try {
      await runTask(task, { ...context, signal: closing.signal });
    } catch (error) {
      if (closing.signal.aborted) return;
      const why = error instanceof TaskFailure ? (error.error.detail ?? error.error.title) : 'the worker failed';
      lines.add(context, { level: 'error', text: `the ${task.kind} that no step waits for failed: ${why}` });
    }
  }

  const hasRoom = (account: string): boolean =>
    running.size < total && [...running.values()].filter((each) => each === account).length < perAccount;

  return {
    async begin(task, context) {
      const account = accountOf(context.ownerId);
      const { promise: left, resolve: leave } = Promise.withResolvers<void>();
      context.signal.addEventListener('abort', () => leave(), { once: true });
      while (!hasRoom(account) && !context.signal.aborted) await Promise.race([left, ...running.keys()]);
      context.signal.throwIfAborted();
      const one = run(task, context).finally(() => running.delete(one));
      running.set(one, account);
      return null;
    },
    async close() {
      closing.abort(new DOMException('the worker stops', 'AbortError'));
      await Promise.all(running.keys());
    },
  };
}
