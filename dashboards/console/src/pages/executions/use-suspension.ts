import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { hasEnded } from '../../parts/execution/status.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { executionQuery, type Suspension, suspensionQuery } from './queries.ts';
import { EXECUTIONS_TEXT } from './text.ts';

const TEXT = EXECUTIONS_TEXT.actions;
const SUSPENDED = {
  suspended: TEXT.suspended,
  'suspension-requested': TEXT.suspending,
  'already-suspended': TEXT.suspended,
  'cancellation-requested': TEXT.cancelled,
  'already-terminal': TEXT.alreadyFinished,
} as const;
const RESUMED = {
  resumed: TEXT.resumed,
  'not-suspended': TEXT.notSuspended,
  'already-terminal': TEXT.alreadyFinished,
} as const;

/** Returns whether an execution is suspended, and functions to suspend and resume it. */
export function useSuspension(
  executionId: string,
  status: string,
): { readonly suspension: Suspension | null; readonly busy: boolean; readonly toggle: () => Promise<void> } {
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const { data = null } = useQuery(suspensionQuery(executionId, status));
  const suspension = hasEnded(status) ? null : data;
  return {
    suspension,
    busy,
    async toggle() {
      setBusy(true);
      try {
        const path = { executionId };
        const done =
          suspension === null
            ? SUSPENDED[(await call('post', '/api/v1/executions/{executionId}/suspend', { path })).status]
            : RESUMED[(await call('post', '/api/v1/executions/{executionId}/resume', { path })).status];
        await queries.invalidateQueries({ queryKey: executionQuery(executionId).queryKey });
        showDone(done);
      } catch (error) {
        showFailure(error);
      } finally {
        setBusy(false);
      }
    },
  };
}
