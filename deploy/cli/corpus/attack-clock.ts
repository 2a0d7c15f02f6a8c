import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { Truth } from './truth.ts';

/** Progress of an attack. */
export interface AttackClock {
  /** Counts an event if it is a crash of the attacked program. */
  take(accepted: AcceptedEvent): void;
  /**
   * Returns the seconds from the program's first crash to the latest event. Returns 0 before the first crash, and if
   * clocks went backwards.
   */
  seconds(): number;
  /** Returns the number of crashed processes of the program so far. */
  crashes(): number;
}

/** Creates a clock for the attack that the truth describes. In a capture without an attack, every program counts. */
export function createAttackClock({ any, procname, aliases = [], any_procname }: Truth): AttackClock {
  const everyProgram = any.length === 0 || any_procname === true;
  const names = new Set([procname, ...aliases]);
  const pids = new Set<string>();
  let first: number | undefined;
  let latest = 0;
  return {
    take({ event: { event }, time }) {
      latest = time.seconds + time.nanos / 1e9;
      const trapped = event.type === 'LinuxKernelTrap';
      if (!trapped && event.type !== 'LinuxFatalSignal') return;
      const name = trapped ? event.procname : event.stack_dump.Comm;
      if (!everyProgram && !names.has(name)) return;
      first ??= latest;
      pids.add(String(trapped ? event.pid : event.stack_dump.PID));
    },
    seconds: () => (first === undefined ? 0 : Math.max(0, latest - first)),
    crashes: () => pids.size,
  };
}
