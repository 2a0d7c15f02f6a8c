import { Button, Code, Loader, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { REJECTIONS, type RejectionReason } from '#schemas/rejection-codes.ts';
import { call } from '../../../api/client.ts';
import { LetterStateBadge } from '../../../pages/dead-letters/letter-state-badge.tsx';
import { RawView } from '../../../pages/dead-letters/raw-view.tsx';
import { Redrive } from '../../../pages/dead-letters/redrive.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { Page } from '../../../parts/page.tsx';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { TimeText } from '../../../parts/time-text.tsx';

export const Route = createFileRoute('/_signed-in/dead-letters/$id')({
  component: DeadLetterPage,
});

function DeadLetterPage() {
  const { id } = Route.useParams();
  const [asking, { open, close }] = useDisclosure();
  useShortcuts([{ keys: 'r', does: 'Send it through again', run: open }]);
  const letter = useQuery({
    queryKey: ['dead-letters', 'one', id],
    queryFn: ({ signal }) => call('get', '/api/dead-letters/{id}', { signal, path: { id } }),
  });
  return (
    <Page
      title={`Dead letter ${id}`}
      actions={
        <Button size="compact-md" disabled={!letter.isSuccess} onClick={open}>
          Send through again
        </Button>
      }
    >
      {letter.isPending && <Loader size="sm" aria-label="Loading the dead letter" />}
      {letter.isError && <FailureNotice error={letter.error} onRetry={() => void letter.refetch()} />}
      {letter.isSuccess && (
        <>
          <Facts
            facts={[
              [
                'Reason',
                <>
                  <Code>{letter.data.code}</Code> {letter.data.message}
                </>,
              ],
              ['Where', letter.data.path === '' ? 'the whole record' : <Code key="path">{letter.data.path}</Code>],
              ['Tried again', triesText(letter.data.code)],
              ['Origin', originText(letter.data)],
              ['Came', <TimeText key="came" at={letter.data.received} />],
              [
                'State',
                <>
                  <LetterStateBadge redriven={letter.data.redriven} />{' '}
                  {letter.data.redriven !== null && <TimeText at={letter.data.redriven} />}
                </>,
              ],
            ]}
          />
          <RawView of={letter.data} />
          <Text size="sm" c="dimmed" mt="xs">
            It can't be edited: what was recorded stays as it came. Correct the sender, then let it send anew.
          </Text>
        </>
      )}
      <Redrive selection={asking ? { ids: [id] } : undefined} what="This one dead letter." onClose={close} />
    </Page>
  );
}

function triesText(code: string): string {
  return Object.hasOwn(REJECTIONS, code) && REJECTIONS[code as RejectionReason].kind === 'retriable'
    ? 'yes: the record may be fine and a helper was away'
    : 'no: it would be refused again unless the checks have changed';
}

function originText({ topic, partition, offset }: { topic: string; partition: number; offset: number }): string {
  return `topic ${topic}, partition ${partition}, offset ${offset}`;
}
