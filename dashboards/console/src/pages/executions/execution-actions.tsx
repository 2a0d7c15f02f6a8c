import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { hasEnded } from '../../parts/execution/status.tsx';
import { useShortcuts } from '../../parts/shortcuts.ts';
import { showDone } from '../../parts/show-failure.tsx';
import { executionQuery } from './queries.ts';
import { EXECUTIONS_TEXT } from './text.ts';
import { useRerun } from './use-rerun.ts';
import { useSuspension } from './use-suspension.ts';

const TEXT = EXECUTIONS_TEXT.actions;

export function ExecutionActions({ id, status }: { readonly id: string; readonly status: string }) {
  const [asking, ask] = useDisclosure();
  const queries = useQueryClient();
  const rerun = useRerun(id);
  const ended = hasEnded(status);
  const { suspension, busy, toggle } = useSuspension(id, status);
  useShortcuts([
    { keys: 'r', does: TEXT.rerun, run: () => void rerun.run() },
    { keys: 's', does: TEXT.suspendKey, run: () => !ended && void toggle() },
    { keys: 'c', does: TEXT.cancelKey, run: () => !ended && ask.open() },
  ]);
  return (
    <>
      {!ended && (
        <Button variant="default" loading={busy} onClick={() => void toggle()}>
          {suspension === null ? TEXT.suspend : TEXT.resume}
        </Button>
      )}
      {!ended && (
        <Button variant="default" onClick={ask.open}>
          {TEXT.cancel}
        </Button>
      )}
      <Button variant="default" loading={rerun.busy} onClick={() => void rerun.run()}>
        {TEXT.rerun}
      </Button>
      <Confirm
        opened={asking}
        title={TEXT.cancelTitle}
        action={TEXT.cancelConfirm}
        dismiss={TEXT.keep}
        onClose={ask.close}
        onConfirm={async () => {
          const { status: became } = await call('post', '/api/v1/workflows/executions/{executionId}/cancel', {
            path: { executionId: id },
          });
          await queries.invalidateQueries({ queryKey: executionQuery(id).queryKey });
          showDone(became === 'already-terminal' ? TEXT.alreadyFinished : TEXT.cancelled);
        }}
      >
        {TEXT.consequence}
      </Confirm>
    </>
  );
}
