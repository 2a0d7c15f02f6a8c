import type { AdvanceLimits } from '../contract/port.ts';
import type { RunAdvance } from './run-advance.ts';
import type { RunInbox } from './run-inbox.ts';
import type { RunEnd } from './run-port.ts';
import type { RunRecord } from './run-record.ts';
import type { RunTasks } from './run-tasks.ts';

/** Limits of a call in which no step begins. */
export const NO_STEPS: AdvanceLimits = { steps: 0 };

/**
 * Suspends a run: waits for its open tasks, without beginning steps. The result equals a crash without losses: on
 * resumption, pending work is requested again, and timers and signals are read again. `ended` aborts if the worker must
 * leave the run immediately.
 */
export async function haltRun(
  ended: AbortSignal,
  parts: {
    readonly record: RunRecord;
    readonly inbox: RunInbox;
    readonly tasks: Pick<RunTasks, 'failure' | 'running' | 'starting'>;
    readonly advance: Pick<RunAdvance, 'handle'>;
  },
): Promise<RunEnd> {
  const { record, inbox, tasks, advance } = parts;
  while (!ended.aborted) {
    if (tasks.failure !== undefined) throw tasks.failure.reason;
    if (record.outcome !== undefined) return record.finish();
    if (record.mustKeep && !(await record.keep())) return 'left';
    const next = inbox.outcomes();
    if (next.length > 0) {
      await advance.handle(next, NO_STEPS);
      record.mustKeep = true;
    } else if (tasks.running + tasks.starting === 0) return record.halt();
    else await inbox.wait();
  }
  return 'left';
}
