import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isOvertaken } from '../../api/failure.ts';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { currentDecision, type DecisionChange, decide } from './decide.ts';
import { decisionText } from './decision-words.ts';
import { detectionQuery } from './detection-query.ts';
import type { Detection } from './detection-types.ts';

/** What one wanted, and could not have as it was: somebody else decided since. */
export interface Conflict {
  readonly mine: DecisionChange;
  /** Of what is decided now. */
  readonly etag: string | null;
}

/** Decides about one detection, never over what somebody else decided unseen. */
export function useDecision(id: string, etag: string | null) {
  const queries = useQueryClient();
  const [conflict, setConflict] = useState<Conflict>();
  const [busy, setBusy] = useState(false);

  async function show(now: { readonly detection: Detection; readonly etag: string | null }) {
    queries.setQueryData(
      detectionQuery(id).queryKey,
      (held) => held && { detection: { ...held.detection, ...now.detection }, etag: now.etag },
    );
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
      showDone(`Now ${decisionText(now.detection)}`);
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

  return {
    busy,
    conflict,
    change,
    /** Decides as one wanted, knowing what somebody else decided. */
    insist: () => (conflict === undefined ? Promise.resolve() : change(conflict.mine, conflict.etag)),
    yieldTo: () => setConflict(undefined),
  };
}
