import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isOvertaken } from '../../api/failure.ts';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { offerUndo } from '../../parts/undo.tsx';
import { DETECTIONS_TEXT } from '../detections/text.ts';
import { replaceInLists } from '../detections/use-detection-list.ts';
import { currentDecision, type DecisionChange, decide, undoChanges } from './decide.ts';
import { changeDoneText } from './decision-words.ts';
import { detectionQuery } from './detection-query.ts';
import type { Detection } from './detection-types.ts';

/** A change that was rejected because another user changed the decision since it was loaded. */
export interface Conflict {
  readonly mine: DecisionChange;
  /** Version of the current decision. */
  readonly etag: string | null;
}

/** Changes the decision of one detection. Never overwrites another user's decision that the analyst has not seen. */
export function useDecision(id: string, etag: string | null) {
  const queries = useQueryClient();
  const [conflict, setConflict] = useState<Conflict>();
  const [busy, setBusy] = useState(false);

  async function show(now: { readonly detection: Detection; readonly etag: string | null }) {
    queries.setQueryData(
      detectionQuery(id).queryKey,
      (cached) => cached && { detection: { ...cached.detection, ...now.detection }, etag: now.etag },
    );
    replaceInLists(queries, now.detection);
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['detection-history', id] }),
      queries.invalidateQueries({ queryKey: ['detections'], refetchType: 'none' }),
    ]);
  }

  async function change(mine: DecisionChange, expected = etag): Promise<void> {
    setBusy(true);
    try {
      const now = await decide(id, mine, expected);
      setConflict(undefined);
      await show(now);
      offerUndo(changeDoneText(mine), () => undo(now.etag));
    } catch (error) {
      if (!isOvertaken(error)) return showFailure(error);
      const now = await currentDecision(id).catch(showFailure);
      if (!now) return;
      setConflict({ mine, etag: now.etag });
      await show(now);
    } finally {
      setBusy(false);
    }
  }

  /** Restores the decision that the change of this version replaced. */
  async function undo(version: string | null): Promise<void> {
    const [result] = await undoChanges([{ id, etag: version }]);
    await show(await currentDecision(id));
    const isUndone = result?.outcome === 'updated';
    showDone(DETECTIONS_TEXT.undone(isUndone ? 1 : 0, isUndone ? 0 : 1));
  }

  return {
    busy,
    conflict,
    change,
    /** Overwrites the other user's decision. */
    insist: () => (conflict === undefined ? Promise.resolve() : change(conflict.mine, conflict.etag)),
    yieldTo: () => setConflict(undefined),
  };
}
