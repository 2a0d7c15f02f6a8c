import { Alert, Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import { limitsQuery } from './limit-queries.ts';
import { LIMITS_TEXT as TEXT } from './limits-text.ts';
import { workflowKey } from './queries.ts';

/** Start and reason of a pause, with a button to resume the workflow. Empty if it is not paused. */
export function PausedAlert({ workflow }: { readonly workflow: string }) {
  const { data } = useQuery(limitsQuery(workflow));
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const paused = data?.paused ?? null;
  if (paused === null) return null;
  async function resume() {
    setBusy(true);
    try {
      await call('post', '/api/v1/workflows/{id}/resume', { path: { id: workflow } });
      await queries.invalidateQueries({ queryKey: workflowKey(workflow) });
      showDone(TEXT.resumed);
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Alert variant="outline" mb="sm" title={TEXT.pausedTitle}>
      {paused.reason !== null && <Text size="sm">{visible(paused.reason)}</Text>}
      <Text size="sm" mb="xs">
        {TEXT.pausedSince}
        <TimeText at={paused.at} ago />
        {data !== undefined && data.waiting > 0 && ` · ${TEXT.waiting(data.waiting)}`}
      </Text>
      <Button size="compact-sm" loading={busy} onClick={() => void resume()}>
        {TEXT.resume}
      </Button>
    </Alert>
  );
}

/** Pauses the workflow after a confirmation. Empty while it is paused. */
export function PauseButton({ workflow }: { readonly workflow: string }) {
  const { data } = useQuery(limitsQuery(workflow));
  const queries = useQueryClient();
  const [asking, ask] = useDisclosure();
  const [reason, setReason] = useState('');
  if (data === undefined || data.paused !== null) return null;
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={ask.open}>
        {TEXT.pause}
      </Button>
      <Confirm
        opened={asking}
        title={TEXT.pauseTitle}
        action={TEXT.pauseConfirm}
        destructive={false}
        onClose={ask.close}
        onConfirm={async () => {
          const body = reason.trim() === '' ? {} : { reason: reason.trim() };
          await call('post', '/api/v1/workflows/{id}/pause', { path: { id: workflow }, body });
          await queries.invalidateQueries({ queryKey: workflowKey(workflow) });
          showDone(TEXT.paused);
        }}
      >
        {TEXT.pauseConsequence}
        <TextInput
          mt="sm"
          label={TEXT.pauseReason}
          maxLength={500}
          value={reason}
          onChange={({ currentTarget: { value } }) => setReason(value)}
        />
      </Confirm>
    </>
  );
}
