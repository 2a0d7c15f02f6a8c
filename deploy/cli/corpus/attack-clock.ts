import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { Truth } from './truth.ts';

/** How far an attack has come. */
export interface AttackClock {
  /** Counts an event, if it is a crash of the attacked program. */
  take(accepted: AcceptedEvent): void;
  /** Seconds since the first crash of the program until the latest event; 0 before it, and when clocks went backwards. */
  seconds(): number;
  /** Crashed processes of the program until now. */
  crashes(): number;
}

/** A clock for the attack that a truth describes. In a capture without an attack every program counts. */
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
