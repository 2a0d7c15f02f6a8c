import type { Severity } from '#schemas/detection.ts';
import type { Alert } from './alert.ts';
import type { Truth } from './truth.ts';

/** Name of the rule that reports a burst of suppressed messages. */
const BURST = 'suppressed-crash-burst';
/** Rules that report a fact and not a probe. They may fire in every capture. */
const CLAIM_NO_PROBE: readonly string[] = [BURST, 'sensitive-program-crash', 'detector-tampering'];

/** Detections of these severities are hints, not alarms. */
const HINTS: readonly Severity[] = ['info', 'low'];

/** The result for a capture. */
export interface Verdict {
  readonly kind: 'attack' | 'benign';
  /** True if the attack was detected. */
  readonly found: boolean;
  /** The first alert that detected it. */
  readonly first: Alert | null;
  /**
   * Alerts of medium severity or above about an attack that did not happen: in a benign capture, or about another
   * program.
   */
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
