import type { Severity } from '#schemas/detection.ts';
import type { Alert } from './alert.ts';
import type { Truth } from './truth.ts';

/** Name of the rule that reports a burst of suppressed messages. */
const BURST = 'suppressed-crash-burst';
/** Rules that report a fact and claim no probe: they may fire in every capture. */
const CLAIM_NO_PROBE: readonly string[] = [BURST, 'sensitive-program-crash', 'detector-tampering'];

/** Of so low a severity a detection is a hint, which raises no alarm. */
const HINTS: readonly Severity[] = ['info', 'low'];

/** What became of a capture. */
export interface Verdict {
  readonly kind: 'attack' | 'benign';
  /** An attack was found. */
  readonly found: boolean;
  /** The alert by which it was found first. */
  readonly first: Alert | null;
  /** Alerts of medium severity or above that report an attack that did not happen: in a benign capture, or on another program. */
  readonly falseAlarms: readonly Alert[];
  readonly alerts: readonly Alert[];
}

/** Compares the alerts of a capture with its truth. */
export function judge(truth: Truth, alerts: readonly Alert[]): Verdict {
  const isAttack = truth.any.length > 0;
  const names = new Set([truth.procname ?? null, ...(truth.aliases ?? [])]);
  const concerns = ({ procname }: Alert) => truth.any_procname === true || names.has(procname);
  const finds = (alert: Alert) =>
    (truth.any.includes(alert.rule) && concerns(alert)) || (truth.burst_ok === true && alert.rule === BURST);
  const allowed = new Set([...CLAIM_NO_PROBE, ...(truth.allow ?? [])]);
  const first = isAttack ? (alerts.find(finds) ?? null) : null;
  return {
    kind: isAttack ? 'attack' : 'benign',
    found: first !== null,
    first,
    falseAlarms: alerts.filter(
      (alert) => !allowed.has(alert.rule) && !HINTS.includes(alert.severity) && !(isAttack && concerns(alert)),
    ),
    alerts,
  };
}
