import { currentChanges } from '../tables/detection-triage.ts';
import {
  type ChangeDecisionsDeps,
  type ChangedBy,
  type ChangeResult,
  changeEach,
  type WantedDetection,
} from './change-decisions.ts';

/**
 * Restores the values that the latest change of each of these detections replaced, if that change created the version
 * of the given ETag. An earlier assignee is restored even if the account has since been disabled.
 */
export type UndoDecisions = (
  wanted: readonly (WantedDetection & { readonly ifMatch: string })[],
  by: ChangedBy,
) => Promise<ChangeResult[]>;

/** An undo is a separate change in the history and the audit log, so it can itself be undone. */
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
