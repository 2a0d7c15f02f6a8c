import { Failure } from '../../api/failure.ts';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { offerUndo } from '../../parts/undo.tsx';
import {
  type BulkFilter,
  type ChangeResult,
  currentDecision,
  type DecisionChange,
  decideAll,
  decideMany,
  type SeenDecision,
  undoChanges,
} from '../detection/decide.ts';
import type { Detection } from '../detection/detection-types.ts';
import { titleOf } from './detection-columns.tsx';
import { outcomeText } from './outcome-text.ts';
import { DETECTIONS_TEXT } from './text.ts';

/** The parts of a list that triage uses. */
export interface TriagedList {
  readonly rows: readonly Detection[];
  /** Replaces the row of a detection. */
  readonly replace: (now: Detection) => unknown;
  /** Refetches all displayed rows in place. */
  readonly refresh: () => Promise<unknown>;
  /** Refetches the counts of the list. */
  readonly recount: () => Promise<unknown>;
}

/**
 * Decisions in the list. Rows keep their position. Every change can be undone for some seconds, unless another user
 * decides in between.
 */
export function useTriage(list: TriagedList) {
  const { replace, refresh, recount } = list;

  function apply(ids: ReadonlySet<string>, decisionOf: (row: Detection) => Partial<SeenDecision>) {
    for (const row of list.rows) if (ids.has(row.id)) replace({ ...row, ...decisionOf(row) });
    void recount();
  }

  async function undo(made: readonly ChangeResult[], seen?: readonly SeenDecision[]): Promise<void> {
    const results = await undoChanges(made);
    const undone = idsOf(results, 'updated');
    const before = new Map(seen?.map((one) => [one.id, one]));
    if (seen === undefined || undone.size < results.length) await Promise.all([refresh(), recount()]);
    else apply(undone, ({ id }) => before.get(id) ?? {});
    showDone(DETECTIONS_TEXT.undone(undone.size, results.length - undone.size));
  }

  function offer(message: string, results: readonly ChangeResult[], seen?: readonly SeenDecision[]) {
    const made = results.filter(({ outcome }) => outcome === 'updated');
    if (made.length === 0) showDone(message);
    else offerUndo(message, () => undo(made, seen));
  }

  /** Changes one detection, or shows the decision of another user. */
  async function change(seen: Detection, wanted: DecisionChange): Promise<void> {
    try {
      const [results, { changeDoneText, decisionText }] = await Promise.all([decideMany([seen], wanted), words()]);
      if (results[0]?.outcome === 'changed_meanwhile') {
        const now = await currentDecision(seen.id);
        replace(now.detection);
        showFailure(changedByOther(decisionText(now.detection)));
        return;
      }
      apply(idsOf(results, 'updated', 'unchanged'), () => definedOf(wanted));
      offer(DETECTIONS_TEXT.changed(titleOf(seen), changeDoneText(wanted)), results, [seen]);
    } catch (error) {
      showFailure(error);
    }
  }

  return {
    change,
    /**
     * Applies one change to many detections. Resolves with the ids that were skipped because another user changed them.
     */
    async changeMany(seen: readonly SeenDecision[], wanted: DecisionChange): Promise<ReadonlySet<string>> {
      try {
        const results = await decideMany(seen, wanted);
        const skipped = idsOf(results, 'changed_meanwhile');
        apply(idsOf(results, 'updated', 'unchanged'), () => definedOf(wanted));
        offer(outcomeText(results), results, seen);
        if (skipped.size > 0) await refresh();
        return skipped;
      } catch (error) {
        showFailure(error);
        return new Set(seen.map(({ id }) => id));
      }
    },
    /** Applies one change to all detections that match the filters. Resolves with true on success. */
    async changeAll(
      chosen: { readonly filter: BulkFilter; readonly asOf: string },
      wanted: DecisionChange,
      onProgress: (handled: number) => void,
    ): Promise<boolean> {
      try {
        const results = await decideAll(chosen, wanted, onProgress);
        await Promise.all([refresh(), recount()]);
        offer(outcomeText(results), results);
        return true;
      } catch (error) {
        await refresh();
        showFailure(error);
        return false;
      }
    },
  };
}

function idsOf(results: readonly ChangeResult[], ...outcomes: ChangeResult['outcome'][]): ReadonlySet<string> {
  return new Set(results.filter(({ outcome }) => outcomes.includes(outcome)).map(({ id }) => id));
}

function definedOf(change: DecisionChange): Partial<SeenDecision> {
  return Object.fromEntries(Object.entries(change ?? {}).filter(([, value]) => value !== undefined));
}

/** Loaded with the first decision, because the texts of a detection page are larger than the list. */
const words = () => import('../detection/decision-words.ts');

/** Returns the error that the API reports for a change based on an outdated decision. */
function changedByOther(decision: string): Failure {
  const message = DETECTIONS_TEXT.changedByOther(decision);
  return new Failure({
    status: 412,
    issues: [{ field: 'if-match', message, code: 'precondition_failed', severity: 'error' }],
  });
}
