import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { testEvent } from './test-event.ts';
import { FIRST_STEPS_TEXT } from './text.ts';

const TEXT = FIRST_STEPS_TEXT.event;

/** Sends one event as the signed-in user, by the route that detectors use. */
export function SendTestEvent() {
  const queries = useQueryClient();
  const send = useMutation({
    // The OpenAPI description leaves the type of the body open: one event, an array, or lines.
    mutationFn: () => call('post', '/api/events', { body: testEvent(new Date()) as never }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['first-steps'] }),
  });
  return (
    <>
      <Group gap="sm" my={6}>
        <Button loading={send.isPending} onClick={() => send.mutate()}>
          {TEXT.send}
        </Button>
        <Text size="sm" role="status">
          {send.isSuccess && TEXT.sent}
        </Text>
      </Group>
      {send.isError && <FailureNotice error={send.error} />}
    </>
  );
}
