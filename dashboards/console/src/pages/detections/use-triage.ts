import { Failure } from '../../api/failure.ts';
import { useProfile } from '../../app/use-profile.ts';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { currentDecision, type DecisionChange, decide, decideMany } from '../detection/decide.ts';
import { decisionText } from '../detection/decision-words.ts';
import type { Detection } from '../detection/detection-types.ts';
import { outcomeText } from './outcome-text.ts';

/** Decisions from the list. What a row shows may be old, so one detection is looked at again before it is changed. */
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
        showFailure(overtaken(now.detection));
        return;
      }
      const { detection } = await decide(seen.id, wanted, now.etag);
      replace(detection);
      showDone(`${detection.rule.name} on ${detection.hostname ?? 'an unnamed host'}: ${decisionText(detection)}`);
    } catch (error) {
      showFailure(error);
    }
  }

  return {
    change,
    acknowledge: (seen: Detection) => change(seen, { status: 'acknowledged' }),
    assignToMe: (seen: Detection) => change(seen, { assignee: username }),
    /** The same for all; resolves to the ids of those that nothing was done to, because somebody else decided since they were shown. */
    async changeMany(seen: readonly Detection[], wanted: DecisionChange): Promise<readonly string[]> {
      try {
        const results = await decideMany(seen, wanted);
        const overtaken = results.filter(({ outcome }) => outcome === 'changed_meanwhile').map(({ id }) => id);
        showDone(outcomeText(results));
        await reload();
        return overtaken;
      } catch (error) {
        showFailure(error);
        return seen.map(({ id }) => id);
      }
    },
  };
}

/** As the API refuses a change that was made for what is no more. */
function overtaken(now: Detection): Failure {
  const message = `Nothing was changed: it is ${decisionText(now)} now`;
  return new Failure({
    status: 412,
    issues: [{ field: 'if-match', message, code: 'precondition_failed', severity: 'error' }],
  });
}

function sameDecision(a: Detection, b: Detection): boolean {
  return a.status === b.status && a.verdict === b.verdict && a.assignee === b.assignee && a.note === b.note;
}
