import { currentChanges } from '../tables/detection-triage.ts';
import {
  type ChangeDecisionsDeps,
  type ChangedBy,
  type ChangeResult,
  changeEach,
  type WantedDetection,
} from './change-decisions.ts';

/**
 * Restores what the latest change of each of these detections replaced, if that change made the version of its ETag. An earlier assignee is restored
 * also when the account was disabled since.
 */
export type UndoDecisions = (
  wanted: readonly (WantedDetection & { readonly ifMatch: string })[],
  by: ChangedBy,
) => Promise<ChangeResult[]>;

/** An undo is a change of its own in the history and the audit log, so it can be undone as well. */
export function createDecisionUndo(deps: ChangeDecisionsDeps): UndoDecisions {
  return (wanted, by) =>
    changeEach(
      deps,
      wanted,
      async (transaction, rows) => {
        const changes = await currentChanges(transaction, rows);
        const before = new Map(changes.map((change) => [change.detectionId, change.before]));
        return (id) => before.get(id) ?? {};
      },
      by,
    );
}
