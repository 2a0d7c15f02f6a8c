import { Alert, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Section } from '../../parts/section.tsx';
import { useShortcuts } from '../../parts/shortcuts.ts';

/** Sends a marked test detection and shows what the receiver said. */
export function OutputTest({ id }: { readonly id: string }) {
  const testing = useMutation({ mutationFn: () => call('post', '/api/outputs/{id}/test', { path: { id } }) });
  const test = () => {
    if (!testing.isPending) testing.mutate();
  };
  useShortcuts([{ keys: 't', does: 'Send a test', run: test }]);
  return (
    <Section title="Test">
      <Text size="sm" mb="xs">
        A marked test detection is sent at once, beside everything that waits.
      </Text>
      <Button variant="default" loading={testing.isPending} onClick={test}>
        Send a test
      </Button>
      {testing.isError && <FailureNotice error={testing.error} />}
      {testing.isSuccess && (
        <Alert
          mt="sm"
          variant="outline"
          color={testing.data.ok ? 'indigo' : 'red'}
          role="status"
          title={testing.data.ok ? 'The receiver took it' : 'The receiver did not take it'}
        >
          {testing.data.answer} ({testing.data.ms.toLocaleString()} ms)
        </Alert>
      )}
    </Section>
  );
}
