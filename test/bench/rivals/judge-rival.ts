import type { Alert } from '#deploy/cli/corpus/alert.ts';
import { judge, type Verdict } from '#deploy/cli/corpus/judge.ts';
import type { Truth } from '#deploy/cli/corpus/truth.ts';
import type { Rival, RivalCapture, TimedEvent } from './rival.ts';

/**
 * Returns the verdict on a rival's alerts for a capture. It favours the rival: any alert finds the attack, whatever
 * kind of event it reports, if it names the program or only a host.
 */
export function judgeRival(rival: Rival, truth: Truth, capture: RivalCapture): Verdict {
  const isAttack = truth.any.length > 0;
  const crashes = capture.events.filter((event) => isCrashOf(truth, event));
  const start = crashes[0]?.at ?? 0;
  const alerts = rival.alerts(capture).map(({ at, procname }): Alert => {
    const pids = new Set(crashes.filter((event) => event.at <= at).map(pidOf));
    const named = procname ?? truth.procname ?? null;
    return { rule: rival.name, severity: 'medium', procname: named, seconds: at - start, crashes: pids.size };
  });
  return judge({ ...truth, any: isAttack ? [rival.name] : [], burst_ok: false, allow: [] }, alerts);
}

function isCrashOf({ any, procname, aliases = [], any_procname }: Truth, { event }: TimedEvent): boolean {
  if (event.type !== 'LinuxKernelTrap' && event.type !== 'LinuxFatalSignal') return false;
  const name = event.type === 'LinuxKernelTrap' ? event.procname : event.stack_dump.Comm;
  return any.length === 0 || any_procname === true || [procname, ...aliases].includes(name);
}

function pidOf({ event }: TimedEvent): string {
  return event.type === 'LinuxFatalSignal' ? (event.stack_dump.PID ?? '') : 'pid' in event ? String(event.pid) : '';
}
