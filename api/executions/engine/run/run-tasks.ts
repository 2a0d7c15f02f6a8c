import type { EngineEvent } from '../contract/port.ts';
import { TaskFailure, workflowErrorOf } from '../contract/task-failure.ts';
import type { StepPath } from '../contract/workflow-error.ts';
import { now } from './run-inbox.ts';
import type { RunDeps, RunTaskCommand } from './run-port.ts';

/**
 * Maximum number of concurrent external tasks of one execution. It bounds the results in memory; further branches wait.
 */
const MAX_TASKS_AT_ONCE = 50;

/** Tasks of a run outside the interpreter, and its awaited children. Owned by `createRun`. */
export interface RunTasks {
  /** Number of tasks that run in this process. */
  readonly running: number;
  /** Number of children that are being started. */
  readonly starting: number;
  /** Number of awaited children, including those being started. */
  readonly children: number;
  /** Why the run cannot continue on this worker. Undefined if it can. */
  readonly failure: { readonly reason: unknown } | undefined;
  /** Adds a task to start with the next `beginRequested`. */
  request(command: RunTaskCommand): void;
  hasRequested(): boolean;
  /** Starts the requested tasks. Those above `MAX_TASKS_AT_ONCE` are delayed. */
  beginRequested(): void;
  /** Starts delayed tasks while there are free slots. */
  beginDelayed(): void;
  /** Cancels the task or child of a step. */
  cancel(step: StepPath): void;
  /**
   * Records that the outcome of a child was read. The outcome of an earlier attempt may arrive while a later one runs.
   */
  childEnded(step: StepPath, attempt: number): void;
  /** Aborts the tasks that run in this process. */
  abortAll(): void;
}

export interface RunTasksDeps extends Pick<RunDeps, 'runTask' | 'isRecorded' | 'startChild' | 'cancelChild'> {
  /** Aborts when the worker must leave the run. */
  readonly ended: AbortSignal;
  readonly onEvent: (event: EngineEvent) => void;
  /** Called when a child has started or failed to start. */
  readonly onChildStarted: () => void;
}

/** True if the outcome of the task arrives as a signal. The run occupies no worker until then. */
function isAwaited(task: RunTaskCommand['task']): boolean {
  return task.kind === 'worker' || (task.kind === 'workflow' && task.await);
}

export function createRunTasks(deps: RunTasksDeps): RunTasks {
  const { ended, onEvent } = deps;
  const running = new Map<StepPath, { readonly attempt: number; readonly abort: AbortController }>();
  const children = new Map<StepPath, number>();
  let requested: RunTaskCommand[] = [];
  /** Tasks above the limit. They begin when others end. */
  let delayed: RunTaskCommand[] = [];
  let starting = 0;
  // One listener for all tasks: a composed signal per task (`AbortSignal.any`) costs more than a short task.
  ended.addEventListener('abort', () => abortAll(ended.reason), { once: true });
  let failure: { readonly reason: unknown } | undefined;

  function abortAll(reason: unknown): void {
    for (const { abort } of running.values()) abort.abort(reason);
  }

  async function runHere(command: RunTaskCommand): Promise<void> {
    const { step, attempt } = command;
    const task = { attempt, abort: new AbortController() };
    running.set(step, task);
    if (ended.aborted) task.abort.abort(ended.reason);
    const settled = (event: EngineEvent) => {
      if (running.get(step) !== task || ended.aborted) return;
      running.delete(step);
      onEvent(event);
    };
    try {
      const output = await deps.runTask(command, task.abort.signal);
      settled({ type: 'task-completed', step, attempt, output, at: now() });
    } catch (error) {
      settled({ type: 'task-failed', step, attempt, error: workflowErrorOf(error), at: now() });
    }
  }

  /** Starts a child. Reports only a failure to start it; its outcome arrives as a signal. */
  async function startChild(command: RunTaskCommand): Promise<void> {
    const { step, attempt } = command;
    children.set(step, attempt);
    starting += 1;
    try {
      await deps.startChild(command);
    } catch (error) {
      if (!(error instanceof TaskFailure)) failure = { reason: error };
      else if (children.get(step) === attempt && children.delete(step))
        onEvent({ type: 'task-failed', step, attempt, error: error.error, at: now() });
    } finally {
      starting -= 1;
      deps.onChildStarted();
    }
  }

  return {
    get running() {
      return running.size;
    },
    get starting() {
      return starting;
    },
    get children() {
      return children.size;
    },
    get failure() {
      return failure;
    },
    request: (command) => void requested.push(command),
    hasRequested: () => requested.length > 0,
    beginRequested() {
      const commands = requested;
      requested = [];
      for (const command of commands) {
        const { step, attempt, task } = command;
        if (running.get(step)?.attempt === attempt || children.get(step) === attempt) continue;
        if (isAwaited(task) && !deps.isRecorded(command)) void startChild(command);
        else if (running.size >= MAX_TASKS_AT_ONCE) delayed.push(command);
        else void runHere(command);
      }
    },
    beginDelayed() {
      while (running.size < MAX_TASKS_AT_ONCE) {
        const command = delayed.shift();
        if (command === undefined) return;
        void runHere(command);
      }
    },
    cancel(step) {
      requested = requested.filter((command) => command.step !== step);
      delayed = delayed.filter((command) => command.step !== step);
      running.get(step)?.abort.abort(new DOMException('the step was ended', 'AbortError'));
      running.delete(step);
      const attempt = children.get(step);
      if (attempt === undefined) return;
      children.delete(step);
      deps.cancelChild(step, attempt);
    },
    childEnded(step, attempt) {
      if (children.get(step) === attempt) children.delete(step);
    },
    abortAll: () => running.size > 0 && abortAll(new DOMException('the run is over here', 'AbortError')),
  };
}
