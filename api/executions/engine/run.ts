import { measureJson } from '../json-size.ts';
import type { JsonValue } from '../json-value.ts';
import type { ExecutionWrite, Written } from '../store/advance.ts';
import type { PendingSignal } from '../store/signals.ts';
import { type Change, emptyChange, noteStep, renderChange } from './change.ts';
import type { Advance, CloudEvent, Command, EngineEvent, StepPath, WorkflowError } from './port.ts';
import type { Run, RunDeps, RunEnd, RunTaskCommand } from './run-port.ts';
import { createRunTimers } from './run-timers.ts';
import { engineError, TaskFailure, workflowErrorOf } from './task-failure.ts';
import { createTimeSlice } from './time-slice.ts';
import type { WriteSource } from './write-batch.ts';

/** Of one execution, outside. A branch more waits: the results of all would be in memory at once. */
const MAX_TASKS_AT_ONCE = 50;
/** A write of more steps, or of more data, blocks the process while it is made. */
const MAX_UNWRITTEN_STEPS = 500;
const MAX_UNWRITTEN_BYTES = 8 * 1024 * 1024;
/** Only counted, never refused. */
const NO_LIMITS = {
  maxBytes: Number.POSITIVE_INFINITY,
  maxNodes: Number.POSITIVE_INFINITY,
  maxDepth: Number.POSITIVE_INFINITY,
};

/** An event for the interpreter, and what is noted when it has been delivered. */
interface Incoming {
  readonly event: EngineEvent;
  readonly signal?: number;
}

/**
 * One execution in the hands of a worker. The interpreter says what follows; this does it. Nothing that follows from something done outside begins before
 * the latter is written: a step that is completed is never run again. The only thing that may be done twice is a task that was running.
 */
export function createRun(deps: RunDeps): Run {
  const { lease, interpreter, definition, context, writer } = deps;
  const { signal: ended } = lease.abort;
  let state: JsonValue | undefined = deps.state ?? undefined;
  let change: Change = emptyChange();
  let status: ExecutionWrite['status'] = 'running';
  let unwrittenBytes = 0;
  let outcome: { readonly result?: JsonValue; readonly error?: WorkflowError } | undefined;
  const inbox: Incoming[] = [];
  const tasks = new Map<StepPath, { readonly attempt: number; readonly abort: AbortController }>();
  const children = new Map<StepPath, number>();
  const timers = createRunTimers({
    onFire: (timer) => push({ event: { type: 'timer-fired', timer, at: now() } }),
    firesAtOnce: deps.firesAtOnce,
  });
  const waits = new Set<string>(deps.waits);
  const seen = new Set<number>();
  /** Signals that are being read up on, and children that are being begun: a run with such is not parked. */
  let busy = 0;
  /** Why the run can't go on here. */
  let broken: { readonly reason: unknown } | undefined;
  let begin: RunTaskCommand[] = [];
  /** Tasks that begin when others have ended. */
  let delayed: RunTaskCommand[] = [];
  let goOn = false;
  let wake: (() => void) | undefined;
  ended.addEventListener('abort', () => wake?.(), { once: true });

  const source: WriteSource = {
    lease,
    take() {
      const taken = change;
      change = emptyChange();
      unwrittenBytes = 0;
      const { result, error } = status === 'completed' || status === 'failed' ? (outcome ?? {}) : {};
      return renderChange(lease, taken, { status, state, result, error }, deps.payloads);
    },
  };

  function push(incoming: Incoming): void {
    inbox.push(incoming);
    wake?.();
  }

  /** Waits until there is room for what the run holds now: its state, and the steps that are not written yet. */
  async function hold(advance: Advance): Promise<void> {
    if (deps.heldValues === undefined) return;
    for (const { input, output } of advance.steps) unwrittenBytes += bytesOf(input) + bytesOf(output);
    const bytes = bytesOf(advance.state) + unwrittenBytes;
    await deps.heldValues.hold({ id: lease.id, ownerId: lease.row.ownerId }, bytes, ended);
  }

  function absorb(advance: Advance): void {
    ({ state } = advance);
    for (const record of advance.steps) noteStep(change, record);
    for (const command of advance.commands) obey(command);
  }

  function obey(command: Command): void {
    switch (command.type) {
      case 'run-task':
        begin.push(command);
        return;
      case 'cancel-task':
        begin = begin.filter(({ step }) => step !== command.step);
        delayed = delayed.filter(({ step }) => step !== command.step);
        tasks.get(command.step)?.abort.abort(new DOMException('the step was ended', 'AbortError'));
        tasks.delete(command.step);
        if (children.delete(command.step)) deps.cancelChild(command.step);
        return;
      case 'start-timer':
        change.endedTimers.delete(command.timer);
        change.timers.set(command.timer, command.at);
        timers.arm(command.timer, command.at);
        return;
      case 'cancel-timer':
        change.timers.delete(command.timer);
        change.endedTimers.add(command.timer);
        timers.disarm(command.timer);
        return;
      case 'listen': {
        const { wait, step, mode, filters } = command;
        change.endedWaits.delete(wait);
        change.waits.set(wait, { step, mode, filters });
        waits.add(wait);
        for (const event of deps.eventsTaken(wait)) push({ event: received(wait, event) });
        return;
      }
      case 'stop-listening':
        change.waits.delete(command.wait);
        change.endedWaits.add(command.wait);
        waits.delete(command.wait);
        return;
      case 'emit':
        change.events.push(command.event);
        return;
      case 'continue':
        goOn = true;
        return;
      case 'complete':
        outcome ??= { result: command.output };
        return;
      case 'fail':
        outcome ??= { error: command.error };
    }
  }

  async function handle({ event, signal }: Incoming): Promise<void> {
    // A timer that was ended since.
    if (event.type === 'timer-fired' && !timers.take(event.timer)) return;
    const before = state;
    const advance = await interpreter.advance(definition, context, state ?? null, event);
    await hold(advance);
    // Noted together with what it led to: a write in between would have the one without the other.
    absorb(advance);
    if (event.type === 'timer-fired' && !timers.has(event.timer)) {
      change.timers.delete(event.timer);
      change.endedTimers.delete(event.timer);
      change.firedTimers.add(event.timer);
    }
    if (signal !== undefined) {
      const taken =
        advance.commands.length + advance.steps.length > 0 || JSON.stringify(state) !== JSON.stringify(before);
      change.signals.set(signal, taken);
    }
  }

  function beginTasks(): void {
    const commands = begin;
    begin = [];
    for (const command of commands) {
      const { step, attempt, task } = command;
      if (tasks.get(step)?.attempt === attempt || children.get(step) === attempt) continue;
      if (task.kind === 'workflow' && task.await && !deps.isRecorded(command)) void beginChild(command);
      else if (tasks.size >= MAX_TASKS_AT_ONCE) delayed.push(command);
      else void doHere(command, new AbortController());
    }
  }

  function beginDelayed(): void {
    while (tasks.size < MAX_TASKS_AT_ONCE) {
      const command = delayed.shift();
      if (command === undefined) return;
      void doHere(command, new AbortController());
    }
  }

  async function doHere(command: RunTaskCommand, abort: AbortController): Promise<void> {
    const { step, attempt } = command;
    const task = { attempt, abort };
    tasks.set(step, task);
    const settled = (event: EngineEvent) => {
      if (tasks.get(step) !== task || ended.aborted) return;
      tasks.delete(step);
      push({ event });
    };
    try {
      const output = await deps.runTask(command, AbortSignal.any([ended, abort.signal]));
      settled({ type: 'task-completed', step, attempt, output, at: now() });
    } catch (error) {
      settled({ type: 'task-failed', step, attempt, error: workflowErrorOf(error), at: now() });
    }
  }

  /** The outcome comes as a signal; only a failure to begin it is reported here. */
  async function beginChild(command: RunTaskCommand): Promise<void> {
    const { step, attempt } = command;
    children.set(step, attempt);
    busy += 1;
    try {
      await deps.startChild(command);
    } catch (error) {
      if (!(error instanceof TaskFailure)) broken = { reason: error };
      else if (children.get(step) === attempt && children.delete(step))
        push({ event: { type: 'task-failed', step, attempt, error: error.error, at: now() } });
    } finally {
      busy -= 1;
      wake?.();
    }
  }

  async function deliverOne(signal: PendingSignal): Promise<void> {
    if (signal.kind === 'event') {
      push({ event: received(signal.target, signal.payload as unknown as CloudEvent), signal: signal.id });
      return;
    }
    const result = await deps.childResult(signal);
    children.delete(result.step);
    const at = now();
    const { step, attempt } = result;
    const event: EngineEvent =
      'error' in result
        ? { type: 'task-failed', step, attempt, error: result.error, at }
        : { type: 'task-completed', step, attempt, output: result.output, at };
    push({ event, signal: signal.id });
  }

  function deliver(signals: readonly PendingSignal[]): void {
    for (const signal of signals) {
      if (seen.has(signal.id)) continue;
      seen.add(signal.id);
      busy += 1;
      deliverOne(signal)
        // Not read: it stays untold in the database, and is read again.
        .catch(() => seen.delete(signal.id))
        .finally(() => {
          busy -= 1;
          wake?.();
        });
    }
  }

  async function drive(): Promise<RunEnd> {
    try {
      return await go();
    } finally {
      timers.clear();
      deps.heldValues?.release(lease.id);
      for (const { abort } of tasks.values()) abort.abort(new DOMException('the run is over here', 'AbortError'));
    }
  }

  async function go(): Promise<RunEnd> {
    const endOfSlice = createTimeSlice();
    // Nothing irrevocable has happened yet: tasks may begin while this is written.
    let mustKeep = false;
    if (state === undefined) {
      const advance = await interpreter.start(definition, context, context.startedAt);
      await hold(advance);
      absorb(advance);
    } else {
      for (const { timer, fireAt, due } of deps.timers) timers.arm(timer, fireAt.toISOString(), due);
      const advance = await interpreter.advance(definition, context, state, { type: 'recover', at: now() });
      await hold(advance);
      absorb(advance);
      deliver(deps.signals);
    }
    while (!ended.aborted) {
      if (broken !== undefined) throw broken.reason;
      if (outcome !== undefined) return finish();
      if (goOn || begin.length > 0) {
        if (goOn || mustKeep) {
          if (!(await kept())) return 'left';
          mustKeep = false;
        } else writer.writeSoon(source);
        if (ended.aborted) break;
        beginTasks();
        if (goOn) {
          goOn = false;
          // After what came since: an infinite loop has to receive its time-out.
          const waiting = inbox.some(({ event }) => event.type === 'continue');
          if (!waiting) inbox.push({ event: { type: 'continue', at: now() } });
        }
      } else if (mustKeep && tasks.size > 0) {
        // Something was completed while others go on.
        if (!(await kept())) return 'left';
        mustKeep = false;
      }
      beginDelayed();
      if (inbox.length === 0 && tasks.size + busy === 0 && !broken) return park();
      while (inbox.length === 0 && !ended.aborted && !broken && tasks.size + busy > 0) await somethingToDo();
      while (outcome === undefined && !goOn && !ended.aborted) {
        const next = inbox.shift();
        if (next === undefined) break;
        await handle(next);
        mustKeep = true;
        if (change.steps.size >= MAX_UNWRITTEN_STEPS || unwrittenBytes >= MAX_UNWRITTEN_BYTES) {
          if (!(await kept())) return 'left';
          mustKeep = false;
        }
        await endOfSlice();
      }
    }
    return 'left';
  }

  async function kept(): Promise<Written | undefined> {
    const written = await writer.write(source);
    // It was refused, and has failed.
    return written?.status === 'running' ? written : undefined;
  }

  async function finish(): Promise<RunEnd> {
    status = outcome?.error === undefined ? 'completed' : 'failed';
    return (await writer.write(source)) === undefined ? 'left' : 'ended';
  }

  async function park(): Promise<RunEnd> {
    if (timers.size === 0 && waits.size === 0 && children.size === 0) {
      outcome = { error: engineError('Stuck', 'nothing is left to be done or waited for, and the run has not ended') };
      return finish();
    }
    status = 'waiting';
    const written = await writer.write(source);
    if (written === undefined) return 'left';
    return written.status === 'pending' ? 'ready' : written.status === 'waiting' ? 'parked' : 'ended';
  }

  async function somethingToDo(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    if (ended.aborted) resolve();
    await promise;
    wake = undefined;
  }

  return { drive, deliver };
}

function received(wait: string, event: CloudEvent): EngineEvent {
  return { type: 'event-received', wait, events: [event], at: now() };
}

/** As JSON; 0 for what is not there. */
function bytesOf(value: JsonValue | undefined): number {
  const size = value === undefined ? undefined : measureJson(value, NO_LIMITS);
  return size !== undefined && 'bytes' in size ? size.bytes : 0;
}

function now(): string {
  return new Date().toISOString();
}
