import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { testEvent } from './test-event.ts';

/** Sends one event as the person who is signed in, on the way that detectors send theirs. */
export function SendTestEvent() {
  const queries = useQueryClient();
  const send = useMutation({
    // The description leaves the body's type open: one event, an array, or lines of them.
    mutationFn: () => call('post', '/api/events', { body: testEvent(new Date()) as never }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['first-steps'] }),
  });
  return (
    <>
      <Group gap="sm" my={6}>
        <Button size="compact-md" loading={send.isPending} onClick={() => send.mutate()}>
          Send a test event
        </Button>
        <Text size="sm" role="status">
          {send.isSuccess && 'The event has landed: a crash of test-event on the host first-steps.'}
        </Text>
      </Group>
      {send.isError && <FailureNotice error={send.error} />}
    </>
  );
}
