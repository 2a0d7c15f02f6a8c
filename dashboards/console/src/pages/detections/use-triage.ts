import { Failure } from '../../api/failure.ts';
import { useProfile } from '../../app/use-profile.ts';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { currentDecision, type DecisionChange, decide, decideMany } from '../detection/decide.ts';
import { changeDoneText, decisionText } from '../detection/decision-words.ts';
import type { Detection } from '../detection/detection-types.ts';
import { titleOf } from './detection-columns.tsx';
import { outcomeText } from './outcome-text.ts';
import { DETECTIONS_TEXT } from './text.ts';

/** Decisions in the list. A row may be outdated, so the current decision is read before a detection is changed. */
export function useTriage({
  replace,
  reload,
}: {
  readonly replace: (now: Detection) => void;
  readonly reload: () => Promise<void>;
}) {
  const { username } = useProfile();

  async function change(seen: Detection, wanted: DecisionChange): Promise<void> {
    try {
      const now = await currentDecision(seen.id);
      if (!sameDecision(seen, now.detection)) {
        replace(now.detection);
        showFailure(changedByOther(now.detection));
        return;
      }
      const { detection } = await decide(seen.id, wanted, now.etag);
      replace(detection);
      showDone(DETECTIONS_TEXT.changed(titleOf(detection), changeDoneText(wanted)));
    } catch (error) {
      showFailure(error);
    }
  }

  return {
    change,
    acknowledge: (seen: Detection) => change(seen, { status: 'acknowledged' }),
    assignToMe: (seen: Detection) => change(seen, { assignee: username }),
    /** Applies one change to many detections; resolves to the ids that were skipped because another user changed them. */
    async changeMany(seen: readonly Detection[], wanted: DecisionChange): Promise<readonly string[]> {
      try {
        const results = await decideMany(seen, wanted);
        const skipped = results.filter(({ outcome }) => outcome === 'changed_meanwhile').map(({ id }) => id);
        showDone(outcomeText(results));
        await reload();
        return skipped;
      } catch (error) {
        showFailure(error);
        return seen.map(({ id }) => id);
      }
    },
  };
}

/** The error that the API returns for a change that is based on an outdated decision. */
function changedByOther(now: Detection): Failure {
  const message = DETECTIONS_TEXT.changedByOther(decisionText(now));
  return new Failure({
    status: 412,
    issues: [{ field: 'if-match', message, code: 'precondition_failed', severity: 'error' }],
  });
}

function sameDecision(a: Detection, b: Detection): boolean {
  return a.status === b.status && a.verdict === b.verdict && a.assignee === b.assignee && a.note === b.note;
}
