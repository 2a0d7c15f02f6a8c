import { Alert, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { useServerText } from '../../api/server-text.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Section } from '../../parts/section.tsx';
import { useShortcuts } from '../../parts/shortcuts.ts';
import { OUTPUT_TEXT } from './text.ts';

const TEXT = OUTPUT_TEXT.test;

/** Sends a test message and shows the response of the receiver. */
export function OutputTest({ id }: { readonly id: string }) {
  const testing = useMutation({ mutationFn: () => call('post', '/api/outputs/{id}/test', { path: { id } }) });
  const inLanguage = useServerText();
  const test = () => {
    if (!testing.isPending) testing.mutate();
  };
  useShortcuts([{ keys: 't', does: TEXT.action, run: test }]);
  return (
    <Section title={TEXT.title}>
      <Text size="sm" mb="xs">
        {TEXT.hint}
      </Text>
      <Button variant="default" loading={testing.isPending} onClick={test}>
        {TEXT.action}
      </Button>
      {testing.isError && <FailureNotice error={testing.error} />}
      {testing.isSuccess && (
        <Alert
          mt="sm"
          variant="outline"
          color={testing.data.ok ? 'indigo' : 'red'}
          role="status"
          title={testing.data.ok ? TEXT.delivered : TEXT.failed}
        >
          {TEXT.result(inLanguage(testing.data.answer), testing.data.ms)}
        </Alert>
      )}
    </Section>
  );
}
