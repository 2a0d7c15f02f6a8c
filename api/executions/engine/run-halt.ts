import type { AdvanceLimits } from './port.ts';
import type { RunAdvance } from './run-advance.ts';
import type { RunInbox } from './run-inbox.ts';
import type { RunEnd } from './run-port.ts';
import type { RunRecord } from './run-record.ts';
import type { RunTasks } from './run-tasks.ts';

/** No step begins. */
export const NO_STEPS: AdvanceLimits = { steps: 0 };

/**
 * Leaves a run that is to be suspended: its tasks end, and no step begins. It ends like a crash without a loss: what was to begin is requested again when the
 * run continues, and timers and signals are read again. `ended`: aborts when the worker has to leave at once.
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
