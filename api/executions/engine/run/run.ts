import { engineError } from '../contract/task-failure.ts';
import { createRunAdvance } from './run-advance.ts';
import { haltRun, NO_STEPS } from './run-halt.ts';
import { createRunInbox, now } from './run-inbox.ts';
import type { Run, RunDeps, RunEnd } from './run-port.ts';
import { createRunRecord, writeDue } from './run-record.ts';
import { createRunSignals } from './run-signals.ts';
import { createRunTasks } from './run-tasks.ts';
import { createRunTimers } from './run-timers.ts';
import { createTimeSlice } from './time-slice.ts';

/** Shared by all runs of the thread. */
const slice = createTimeSlice();

/**
 * Runs one leased execution: executes the commands of the interpreter. Invariant: external work is written before
 * anything that depends on it begins. So a completed step never runs again. Only a task that was running may run twice.
 */
export function createRun(deps: RunDeps): Run {
  const { signal: ended } = deps.lease.abort;
  const record = createRunRecord(deps);
  const inbox = createRunInbox(ended);
  const tasks = createRunTasks({
    ...deps,
    ended,
    onEvent: (event) => inbox.push({ event }),
    onChildStarted: inbox.wake,
  });
  const signals = createRunSignals({
    childResult: deps.childResult,
    onChildEnded: tasks.childEnded,
    onEvent: inbox.push,
    onRead: inbox.wake,
  });
  const timers = createRunTimers({
    onFire: (timer) => inbox.push({ event: { type: 'timer-fired', timer, at: now() } }),
    firesAtOnce: deps.firesAtOnce,
  });
  const waits = new Set<string>(deps.waits);
  const parts = { record, inbox, tasks, timers, waits, eventsTaken: deps.eventsTaken, dryRun: deps.dryRun };
  const advance = createRunAdvance(deps, parts, signals);
  let suspending = deps.lease.row.suspendRequestedAt !== null;

  /** True while an event can still arrive without the database. */
  const isBusy = () => tasks.running + tasks.starting + signals.reading > 0;

  /** Passes the events of the inbox to the interpreter. Resolves to false if the run has ended on this worker. */
  async function handleInbox(): Promise<boolean> {
    while (record.outcome === undefined && !record.continueRequested && !ended.aborted && !suspending) {
      const next = inbox.next();
      if (next.length === 0) break;
      slice.begin();
      await advance.handle(next);
      record.mustKeep = true;
      if (record.isLarge() && !(await record.keep())) return false;
      const turn = slice.end();
      if (turn !== undefined) await turn;
    }
    return true;
  }

  function beginTasks(): void {
    tasks.beginRequested();
    if (!record.continueRequested) return;
    record.continueRequested = false;
    // Queued after pending events, so an infinite loop receives its timeout.
    if (!inbox.has('continue')) inbox.push({ event: { type: 'continue', at: now() } });
  }

  async function run(): Promise<RunEnd> {
    await advance.start(suspending ? NO_STEPS : undefined);
    while (!ended.aborted) {
      if (suspending) return haltRun(ended, { record, inbox, tasks, advance });
      if (tasks.failure !== undefined) throw tasks.failure.reason;
      if (record.outcome !== undefined) return record.finish();
      const begins = record.continueRequested || tasks.hasRequested();
      const write = writeDue(record, { begins, running: tasks.running > 0 });
      if (write === 'soon') record.writeSoon();
      if (write === 'now' && !(await record.keep())) return 'left';
      if (begins) {
        if (ended.aborted) break;
        if (suspending) continue;
        beginTasks();
      }
      tasks.beginDelayed();
      if (inbox.isEmpty() && !isBusy() && tasks.failure === undefined) return park();
      while (inbox.isEmpty() && !ended.aborted && !suspending && tasks.failure === undefined && isBusy())
        await inbox.wait();
      if (!(await handleInbox())) return 'left';
    }
    return 'left';
  }

  function park(): Promise<RunEnd> {
    if (timers.size > 0 || waits.size > 0 || tasks.children > 0) return record.park();
    record.end({
      error: engineError('Stuck', 'the run has not ended, but has no open task, timer or wait'),
    });
    return record.finish();
  }

  return {
    async drive() {
      try {
        return await run();
      } finally {
        timers.clear();
        deps.memoryBudget?.release(deps.lease.id);
        tasks.abortAll();
      }
    },
    deliver: signals.deliver,
    suspend() {
      suspending = true;
      inbox.wake();
    },
  };
}
