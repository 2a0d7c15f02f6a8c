import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { hasEnded } from '../../parts/execution/status.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { useShortcuts } from '../../parts/shortcuts.ts';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { type AgentExecution, agentExecutionKey, agentKey } from './queries.ts';

export function AgentExecutionActions({
  slug,
  execution: { id, status, exampleName },
}: {
  readonly slug: string;
  readonly execution: AgentExecution;
}) {
  const [asking, setAsking] = useState<'cancel' | 'promote'>();
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const ended = hasEnded(status);
  const path = { executionId: id };
  const close = () => setAsking(undefined);

  async function rerun() {
    setBusy(true);
    try {
      const { executionId } = await call('post', '/api/v1/agents/executions/{executionId}/rerun', { path });
      await navigate({
        to: '/agents/$id/executions/$execution',
        params: { id: slug, execution: executionId },
        search: {},
      });
      showDone('It is run again: this is the new run');
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  }

  useShortcuts([{ keys: 'r', does: 'Run again', run: () => void rerun() }]);
  return (
    <>
      {ended ? (
        <Button variant="default" onClick={() => setAsking('promote')}>
          Make an example of it …
        </Button>
      ) : (
        <Button variant="default" onClick={() => setAsking('cancel')}>
          Cancel …
        </Button>
      )}
      <Button variant="default" loading={busy} onClick={() => void rerun()}>
        Run again
      </Button>
      <Confirm
        opened={asking === 'cancel'}
        title="Cancel the run"
        action="Cancel it"
        onClose={close}
        onConfirm={async () => {
          await call('post', '/api/v1/agents/executions/{executionId}/cancel', { path });
          await queries.invalidateQueries({ queryKey: agentExecutionKey(id) });
          showDone('It is cancelled, within a second if it runs');
        }}
      >
        What it has done stays done. There will be no output.
      </Confirm>
      <Promote
        opened={asking === 'promote'}
        name={exampleName ?? ''}
        onClose={close}
        onPromote={async (name) => {
          await call('post', '/api/v1/agents/executions/{executionId}/promote', { path, body: { name } });
          await Promise.all([
            queries.invalidateQueries({ queryKey: agentExecutionKey(id) }),
            queries.invalidateQueries({ queryKey: [...agentKey(slug), 'examples'] }),
          ]);
          showDone(`${name} is among the examples`);
          close();
        }}
      />
    </>
  );
}

function Promote({
  opened,
  name,
  onClose,
  onPromote,
}: {
  readonly opened: boolean;
  readonly name: string;
  readonly onClose: () => void;
  readonly onPromote: (name: string) => Promise<void>;
}) {
  const [failure, setFailure] = useState<unknown>();
  async function promote(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setFailure(undefined);
    await onPromote(String(new FormData(event.currentTarget).get('name'))).catch(setFailure);
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Make an example of this run"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={promote}>
        <Stack gap="sm">
          <TextInput
            name="name"
            label="Name of the example"
            description="Its input and files, with what is expected of it under Feedback. One of this name is replaced."
            required
            maxLength={200}
            defaultValue={name}
            data-autofocus
          />
          {failure !== undefined && <FailureNotice error={failure} />}
          <Button type="submit">Make it</Button>
        </Stack>
      </form>
    </Modal>
  );
}
