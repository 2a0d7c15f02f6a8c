import type { Command } from '../contract/port.ts';
import { noteEffects, noteTimerEnded, noteTimerSet, noteWait, noteWaitEnded } from '../writes/change.ts';
import { now, type RunInbox, received } from './run-inbox.ts';
import type { RunDeps } from './run-port.ts';
import type { RunRecord } from './run-record.ts';
import type { RunTasks } from './run-tasks.ts';
import type { RunTimers } from './run-timers.ts';

/** The parts of a run that commands change. Owned by `createRun`. */
export interface RunParts extends Pick<RunDeps, 'eventsTaken' | 'dryRun'> {
  readonly record: RunRecord;
  readonly inbox: RunInbox;
  readonly tasks: RunTasks;
  readonly timers: RunTimers;
  /** Open waits for events. */
  readonly waits: Set<string>;
}

/**
 * Applies a command of the interpreter and records it for the next write. A task is only requested: it begins after
 * that write.
 */
export function applyCommand(command: Command, parts: RunParts): void {
  const { record, inbox, tasks, timers, waits, eventsTaken, dryRun } = parts;
  const { change } = record;
  switch (command.type) {
    case 'run-task':
      // A script has no external effects: it reads files of its execution, and computes.
      if (command.task.kind !== 'script') noteEffects(change, command);
      if (!stopsDryRun(parts, command)) tasks.request(command);
      return;
    case 'cancel-task':
      tasks.cancel(command.step);
      return;
    case 'start-timer':
      noteTimerSet(change, command.timer, command.at);
      timers.arm(command.timer, command.at);
      return;
    case 'cancel-timer':
      noteTimerEnded(change, command.timer);
      timers.disarm(command.timer);
      return;
    case 'listen':
      if (stopsDryRun(parts, command)) return;
      noteWait(change, command.wait, command);
      waits.add(command.wait);
      // An approval is valid for one execution only. A replay asks for approval again.
      if (command.approval !== undefined && dryRun === undefined) return;
      for (const event of eventsTaken(command.wait)) inbox.push({ event: received(command.wait, event) });
      return;
    case 'stop-listening':
      noteWaitEnded(change, command.wait);
      waits.delete(command.wait);
      return;
    case 'emit':
      if (dryRun === undefined) change.events.push(command.event);
      return;
    case 'continue':
      record.continueRequested = true;
      return;
    case 'complete':
      record.end({ result: command.output });
      return;
    case 'fail':
      record.end({ error: command.error });
  }
}

/** Ends a dry run at a call or wait without a recorded outcome: the step fails with a fatal error. */
function stopsDryRun({ inbox, dryRun }: RunParts, command: Extract<Command, { type: 'run-task' | 'listen' }>): boolean {
  const { type, step } = command;
  const error = dryRun?.missing(type, step, type === 'listen' ? command.wait : command.attempt);
  if (error === undefined) return false;
  const attempt = type === 'listen' ? Number(command.wait.split('.').at(-1)) : command.attempt;
  inbox.push({ event: { type: 'task-failed', step, attempt, error, fatal: true, at: now() } });
  return true;
}
