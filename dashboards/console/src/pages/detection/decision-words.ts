import type { DecisionChange } from './decide.ts';
import type { Detection } from './detection-types.ts';
import { DETECTION_TEXT } from './text.ts';

const TEXT = DETECTION_TEXT.decided;

/** Returns the current decision as text: `closed, false positive, assigned to ada`. */
export function decisionText({
  status,
  verdict,
  assignee,
}: Pick<Detection, 'status' | 'verdict' | 'assignee'>): string {
  return TEXT.current(status, verdict === null ? undefined : DETECTION_TEXT.verdictNames[verdict], assignee);
}

/** Returns the message after a change: `Closed · Verdict: false positive`. */
export function changeDoneText(change: DecisionChange): string {
  const { status, verdict, assignee, note } = change ?? {};
  return [
    ...(status === undefined ? [] : [TEXT.statuses[status]]),
    ...(verdict === undefined
      ? []
      : [verdict === null ? TEXT.noVerdict : TEXT.verdict(DETECTION_TEXT.verdictNames[verdict])]),
    ...(assignee === undefined ? [] : [assignee === null ? TEXT.unassigned : TEXT.assigned(assignee)]),
    ...(note === undefined ? [] : [note === null ? TEXT.noteRemoved : TEXT.noteSaved]),
  ].join(' · ');
}
