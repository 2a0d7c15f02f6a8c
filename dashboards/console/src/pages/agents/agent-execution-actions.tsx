import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { hasEnded } from '../../parts/execution/status.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { useShortcuts } from '../../parts/shortcuts.ts';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { type AgentExecution, agentExecutionKey, agentKey } from './queries.ts';
import { AGENT_RUNS_TEXT } from './runs-text.ts';

const TEXT = AGENT_RUNS_TEXT.actions;

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
      showDone(TEXT.rerunDone);
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  }

  useShortcuts([{ keys: 'r', does: TEXT.rerun, run: () => void rerun() }]);
  return (
    <>
      {ended ? (
        <Button variant="default" onClick={() => setAsking('promote')}>
          {TEXT.saveExample}
        </Button>
      ) : (
        <Button variant="default" onClick={() => setAsking('cancel')}>
          {TEXT.cancel}
        </Button>
      )}
      <Button variant="default" loading={busy} onClick={() => void rerun()}>
        {TEXT.rerun}
      </Button>
      <Confirm
        opened={asking === 'cancel'}
        title={TEXT.cancelTitle}
        action={TEXT.cancelAction}
        dismiss={TEXT.keep}
        onClose={close}
        onConfirm={async () => {
          await call('post', '/api/v1/agents/executions/{executionId}/cancel', { path });
          await queries.invalidateQueries({ queryKey: agentExecutionKey(id) });
          showDone(TEXT.cancelled);
        }}
      >
        {TEXT.cancelConsequence}
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
          showDone(TEXT.exampleSaved(name));
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
    <Modal opened={opened} onClose={onClose} title={TEXT.exampleTitle} closeButtonProps={{ 'aria-label': TEXT.close }}>
      <form onSubmit={promote}>
        <Stack gap="sm">
          <TextInput
            name="name"
            label={TEXT.exampleName}
            description={TEXT.exampleHint}
            required
            maxLength={200}
            defaultValue={name}
            data-autofocus
          />
          {failure !== undefined && <FailureNotice error={failure} />}
          <FormButtons submit={TEXT.exampleSubmit} loading={false} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
