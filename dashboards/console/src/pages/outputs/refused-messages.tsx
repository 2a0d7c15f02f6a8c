import { Button } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { defined } from '../../parts/defined.ts';
import { DetailsDialog } from '../../parts/details-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { listHeight } from '../../parts/list-height.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { type Column, RecordList } from '../../parts/record-list.tsx';
import { Section } from '../../parts/section.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import type { RefusedMessage } from './output.ts';

const TONES = { refused: 'bad', waiting: 'warning', delivered: 'good' } as const;

const COLUMNS: readonly Column<RefusedMessage>[] = [
  { id: 'at', header: 'Since', width: '8rem', cell: ({ at }) => <TimeText at={at} ago /> },
  { id: 'cause', header: 'Told', width: '5rem', wideOnly: true, cell: ({ cause }) => cause },
  { id: 'reason', header: 'What the receiver said', width: 'minmax(5rem, 1fr)', cell: ({ reason }) => reason },
  {
    id: 'state',
    header: 'State',
    width: '6rem',
    cell: ({ state }) => <StatusBadge text={state} tone={TONES[state]} />,
  },
];

/** What the receiver refused for good, and the way to send it again. */
export function RefusedMessages({ id }: { readonly id: string }) {
  const queries = useQueryClient();
  const [openedId, setOpenedId] = useState<number>();
  const [resendingAll, setResendingAll] = useState(false);
  const query = useInfiniteQuery(
    cursorList<RefusedMessage>(['outputs', id, 'refused'], async (cursor, signal) => {
      const answer = await call('get', '/api/outputs/{id}/deliveries', {
        signal,
        path: { id },
        query: defined({ cursor }),
      });
      return answer.deadLetters;
    }),
  );
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const opened = rows.find((row) => row.id === openedId);

  async function resend(ids: number[] | undefined) {
    const { count } = await call('post', '/api/outputs/{id}/resend', {
      path: { id },
      body: ids === undefined ? {} : { ids },
    });
    showDone(count === 1 ? 'It is sent again, before what waits.' : `${count} are sent again, before what waits.`);
    await queries.invalidateQueries({ queryKey: ['outputs', id] });
  }

  return (
    <Section
      title="Refused for good"
      actions={
        <Button
          size="compact-sm"
          variant="default"
          disabled={!rows.some(({ state }) => state === 'refused')}
          onClick={() => setResendingAll(true)}
        >
          Send all of them again
        </Button>
      }
    >
      <RecordList
        label="Refused"
        columns={COLUMNS}
        query={query}
        rowId={(row) => String(row.id)}
        onOpen={(row) => setOpenedId(row.id)}
        empty="The receiver refused nothing."
        height={listHeight(query.data?.pages, 6)}
      />
      <RefusedDetails
        message={opened}
        onClose={() => setOpenedId(undefined)}
        onResend={() => (opened === undefined ? Promise.resolve() : resend([opened.id]))}
      />
      <Confirm
        opened={resendingAll}
        title="Send all of them again?"
        action="Send them again"
        onClose={() => setResendingAll(false)}
        onConfirm={() => resend(undefined)}
      >
        All that the receiver refused goes to it again, in the order it was told, before what waits.
      </Confirm>
    </Section>
  );
}

function RefusedDetails({
  message,
  onClose,
  onResend,
}: {
  readonly message: RefusedMessage | undefined;
  readonly onClose: () => void;
  readonly onResend: () => Promise<void>;
}) {
  if (message === undefined) return null;
  const { detection, revision, cause, reason, state, at } = message;
  return (
    <DetailsDialog
      title="Refused for good"
      onClose={onClose}
      action={
        state === 'refused'
          ? {
              text: 'Send it again',
              question: 'Send it again?',
              confirm: 'Send it again',
              consequence: 'It goes to the receiver before what waits.',
              run: onResend,
            }
          : undefined
      }
    >
      <Facts
        facts={[
          [
            'Detection',
            <>
              <PageLink to="/detections/$id" params={{ id: detection }} underline="always" inherit>
                {detection}
              </PageLink>
              , revision {revision}
            </>,
          ],
          ['Told', cause],
          ['The receiver said', reason],
          ['State', <StatusBadge key="state" text={state} tone={TONES[state]} />],
          ['Since', <TimeText key="at" at={at} />],
        ]}
      />
    </DetailsDialog>
  );
}
