import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { hasEnded } from '../../parts/execution/status.tsx';
import { useShortcuts } from '../../parts/shortcuts.ts';
import { showDone } from '../../parts/show-failure.tsx';
import { executionQuery } from './queries.ts';
import { useRerun } from './use-rerun.ts';

export function ExecutionActions({ id, status }: { readonly id: string; readonly status: string }) {
  const [asking, ask] = useDisclosure();
  const queries = useQueryClient();
  const rerun = useRerun(id);
  const ended = hasEnded(status);
  useShortcuts([
    { keys: 'r', does: 'Run again', run: () => void rerun.run() },
    { keys: 'c', does: 'Cancel', run: () => !ended && ask.open() },
  ]);
  return (
    <>
      {!ended && (
        <Button variant="default" onClick={ask.open}>
          Cancel …
        </Button>
      )}
      <Button variant="default" loading={rerun.busy} onClick={() => void rerun.run()}>
        Run again
      </Button>
      <Confirm
        opened={asking}
        title="Cancel the execution"
        action="Cancel it"
        onClose={ask.close}
        onConfirm={async () => {
          const { status: became } = await call('post', '/api/v1/workflows/executions/{executionId}/cancel', {
            path: { executionId: id },
          });
          await queries.invalidateQueries({ queryKey: executionQuery(id).queryKey });
          showDone(
            became === 'already-terminal' ? 'It had ended already' : 'It is cancelled, within a second if it runs',
          );
        }}
      >
        What its steps have done stays done; nothing more is begun. What it started and waits for ends too.
      </Confirm>
    </>
  );
}
