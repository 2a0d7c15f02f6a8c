import type { CaseChange } from '#schemas/api/cases.ts';
import { SEVERITIES, type Severity } from '#schemas/detection.ts';
import type { CaseRow } from './tables/cases.ts';

export type CaseFields = Pick<CaseRow, 'title' | 'description' | 'severity' | 'status' | 'reason' | 'assignee'>;
type FieldName = keyof CaseFields;

/** `changed` is undefined if the case already has these values. */
export type CaseTransition =
  | {
      readonly ok: true;
      readonly changed:
        | { readonly row: CaseRow; readonly before: Partial<CaseFields>; readonly after: Partial<CaseFields> }
        | undefined;
    }
  | { readonly ok: false; readonly field: FieldName; readonly problem: string };

/**
 * Returns a case after a change. Closing requires a reason; reopening removes it. A case is acknowledged when it is
 * first assigned, in progress or closed; that time never changes.
 */
export function changeCase(row: CaseRow, change: CaseChange, at: Date): CaseTransition {
  const status = change.status ?? row.status;
  const reason = status === 'closed' ? (change.reason ?? row.reason) : null;
  if (status === 'closed' && reason === null)
    return { ok: false, field: 'reason', problem: 'a reason is needed to close a case' };
  if (status !== 'closed' && change.reason != null)
    return { ok: false, field: 'reason', problem: 'only a closed case has a reason' };
  const { title = row.title, description = row.description, severity = row.severity, assignee = row.assignee } = change;
  const wanted: CaseFields = { title, description, severity, status, reason, assignee };
  const names = (Object.keys(wanted) as FieldName[]).filter((name) => wanted[name] !== row[name]);
  if (names.length === 0) return { ok: true, changed: undefined };
  const pick = (from: CaseFields) => Object.fromEntries(names.map((name) => [name, from[name]]));
  const isAcknowledged = status !== 'open' || assignee !== null;
  return {
    ok: true,
    changed: {
      row: {
        ...row,
        ...wanted,
        version: row.version + 1,
        changedAt: at,
        acknowledgedAt: row.acknowledgedAt ?? (isAcknowledged ? at : null),
        closedAt: status !== 'closed' ? null : row.status === 'closed' ? row.closedAt : at,
      },
      before: pick(row),
      after: pick(wanted),
    },
  };
}

/** Returns the highest of these severities, or medium for an empty list. */
export function highestSeverity(severities: readonly Severity[]): Severity {
  const highest = Math.max(-1, ...severities.map((severity) => SEVERITIES.indexOf(severity)));
  return SEVERITIES[highest] ?? 'medium';
}

/** Returns the seconds between two times, with millisecond precision. Null if there is no second time. */
export function secondsBetween(from: Date, to: Date | null): number | null {
  return to === null ? null : (to.getTime() - from.getTime()) / 1_000;
}
