import { Button, Code, Loader, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { REJECTIONS, type RejectionReason } from '#schemas/rejection-codes.ts';
import { call } from '../../../api/client.ts';
import { LetterStateBadge } from '../../../pages/dead-letters/letter-state-badge.tsx';
import { RawView } from '../../../pages/dead-letters/raw-view.tsx';
import { Redrive } from '../../../pages/dead-letters/redrive.tsx';
import { DEAD_LETTERS_TEXT } from '../../../pages/dead-letters/text.ts';
import { Facts } from '../../../parts/facts.tsx';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { Page } from '../../../parts/page.tsx';
import { rejectionWithDetail } from '../../../parts/rejection-text.ts';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { TimeText } from '../../../parts/time/time-text.tsx';

export const Route = createFileRoute('/_signed-in/dead-letters/$id')({
  component: DeadLetterPage,
});

const TEXT = DEAD_LETTERS_TEXT.facts;

function DeadLetterPage() {
  const { id } = Route.useParams();
  const [confirming, { open, close }] = useDisclosure();
  useShortcuts([{ keys: 'r', does: DEAD_LETTERS_TEXT.keys.retry, run: open }]);
  const letter = useQuery({
    queryKey: ['dead-letters', 'one', id],
    queryFn: ({ signal }) => call('get', '/api/dead-letters/{id}', { signal, path: { id } }),
  });
  return (
    <Page
      title={DEAD_LETTERS_TEXT.letterTitle(id)}
      actions={
        <Button disabled={!letter.isSuccess} onClick={open}>
          {DEAD_LETTERS_TEXT.actions.retry}
        </Button>
      }
    >
      {letter.isPending && <Loader size="sm" aria-label={DEAD_LETTERS_TEXT.loading} />}
      {letter.isError && <FailureNotice error={letter.error} onRetry={() => void letter.refetch()} />}
      {letter.isSuccess && (
        <>
          <Facts
            panel
            facts={[
              [
                TEXT.reason,
                <>
                  {rejectionWithDetail(letter.data)} <Code>{letter.data.code}</Code>
                </>,
              ],
              [TEXT.field, letter.data.path === '' ? TEXT.wholeRecord : <Code key="path">{letter.data.path}</Code>],
              [TEXT.retry, retryText(letter.data.code)],
              [TEXT.origin, TEXT.originOf(letter.data.topic, letter.data.partition, letter.data.offset)],
              [TEXT.received, <TimeText key="received" at={letter.data.received} />],
              [
                TEXT.state,
                <>
                  <LetterStateBadge redriven={letter.data.redriven} />{' '}
                  {letter.data.redriven !== null && <TimeText at={letter.data.redriven} />}
                </>,
              ],
            ]}
          />
          <RawView of={letter.data} />
          <Text size="sm" c="dimmed" mt="xs">
            {TEXT.correction}
          </Text>
        </>
      )}
      <Redrive
        selection={confirming ? { ids: [id] } : undefined}
        description={DEAD_LETTERS_TEXT.retry.one}
        onClose={close}
      />
    </Page>
  );
}

function retryText(code: string): string {
  return Object.hasOwn(REJECTIONS, code) && REJECTIONS[code as RejectionReason].kind === 'retriable'
    ? TEXT.retriable
    : TEXT.permanent;
}
