import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { counted } from '../../parts/counted.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';

/** Replays the bundled capture, or takes its traces away; for administrators. */
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
          size="compact-md"
          loading={replay.isPending}
          onClick={() => {
            remove.reset();
            replay.mutate();
          }}
        >
          Replay the attack
        </Button>
        <Button size="compact-md" variant="default" onClick={() => setRemoving(true)}>
          Remove its traces
        </Button>
        <Text size="sm" role="status">
          {replay.isSuccess && `Landed, as host demo: ${counted(replay.data.events, 'event')}.`}
          {remove.isSuccess && !replay.isSuccess && 'No query finds any of it.'}
        </Text>
      </Group>
      {replay.isError && <FailureNotice error={replay.error} />}
      <Confirm
        opened={removing}
        title="Remove the bundled attack?"
        action="Remove it"
        onClose={() => setRemoving(false)}
        onConfirm={async () => {
          replay.reset();
          await remove.mutateAsync();
        }}
      >
        All events and detections of the host demo that came from the bundled capture are taken away.
      </Confirm>
    </>
  );
}
