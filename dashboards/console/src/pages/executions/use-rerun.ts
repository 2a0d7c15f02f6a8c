import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { EXECUTIONS_TEXT } from './text.ts';

/** Runs an execution again, completely or from a step, and opens the new execution. */
export function useRerun(executionId: string): {
  readonly busy: boolean;
  readonly run: (fromStep?: string) => Promise<void>;
} {
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  return {
    busy,
    async run(fromStep) {
      setBusy(true);
      try {
        const { executionId: id } = await call('post', '/api/v1/workflows/executions/{executionId}/rerun', {
          path: { executionId },
          body: fromStep === undefined ? {} : { fromStep },
        });
        await navigate({ to: '/executions/$id', params: { id } });
        showDone(EXECUTIONS_TEXT.actions.rerunDone);
      } catch (error) {
        showFailure(error);
      } finally {
        setBusy(false);
      }
    },
  };
}
