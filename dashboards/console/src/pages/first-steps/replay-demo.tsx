import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FIRST_STEPS_TEXT } from './text.ts';

const TEXT = FIRST_STEPS_TEXT.demo;

/** Replays the bundled capture, or removes its events and detections. For administrators. */
export function ReplayDemo() {
  const queries = useQueryClient();
  const [removing, setRemoving] = useState(false);
  const refresh = () => queries.invalidateQueries();
  const replay = useMutation({ mutationFn: () => call('post', '/api/demo', {}), onSuccess: refresh });
  const remove = useMutation({ mutationFn: () => call('delete', '/api/demo', {}), onSuccess: refresh });
  return (
    <>
      <Group gap="sm" my={6}>
        <Button
          loading={replay.isPending}
          onClick={() => {
            remove.reset();
            replay.mutate();
          }}
        >
          {TEXT.replay}
        </Button>
        <Button variant="default" onClick={() => setRemoving(true)}>
          {TEXT.remove}
        </Button>
        <Text size="sm" role="status">
          {replay.isSuccess && TEXT.replayed(replay.data.events)}
          {remove.isSuccess && !replay.isSuccess && TEXT.removed}
        </Text>
      </Group>
      {replay.isError && <FailureNotice error={replay.error} />}
      <Confirm
        opened={removing}
        title={TEXT.removal.title}
        action={TEXT.removal.action}
        onClose={() => setRemoving(false)}
        onConfirm={async () => {
          replay.reset();
          await remove.mutateAsync();
        }}
      >
        {TEXT.removal.consequence}
      </Confirm>
    </>
  );
}
