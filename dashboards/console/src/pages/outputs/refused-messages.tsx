import { Button } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import { useServerText } from '../../api/server-text.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { defined } from '../../parts/defined.ts';
import { DetailsDialog } from '../../parts/details-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { listHeight } from '../../parts/list/list-height.ts';
import { RecordList } from '../../parts/list/record-list.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { timeValue, valueColumns } from '../../parts/values/value-columns.tsx';
import { visible } from '../../parts/visible.ts';
import type { RefusedMessage } from './output.ts';
import { OUTPUT_TEXT } from './text.ts';

const TEXT = OUTPUT_TEXT.refused;

const TONES = { refused: 'bad', waiting: 'warning', delivered: 'good' } as const;

const columns = (textOf: (text: string) => string) =>
  valueColumns<RefusedMessage>({ titleOf: ({ detection }) => detection }, [
    {
      id: 'at',
      header: TEXT.columns.at,
      width: '8rem',
      valuesOf: ({ at }) => timeValue('at', at),
      cell: ({ at }) => <TimeText at={at} ago />,
      wideOnly: true,
    },
    {
      id: 'cause',
      header: TEXT.columns.cause,
      width: '5rem',
      wideOnly: true,
      valuesOf: ({ cause }) => ({ name: 'cause', value: cause, shown: OUTPUT_TEXT.form.causes[cause] }),
    },
    {
      id: 'reason',
      header: TEXT.columns.reason,
      width: 'minmax(5rem, 1fr)',
      valuesOf: ({ reason }) => ({ name: 'reason', value: textOf(reason) }),
      phoneLine: ({ at }) => <TimeText at={at} ago />,
    },
    {
      id: 'state',
      header: TEXT.columns.state,
      width: '6rem',
      valuesOf: ({ state }) => ({ name: 'state', value: state, shown: TEXT.states[state] }),
      cell: ({ state }) => <StatusBadge text={TEXT.states[state]} tone={TONES[state]} />,
    },
  ]);

/** Reason for a rejected message. In the language of the console if the server wrote it. */
function Reason({ text }: { readonly text: string }) {
  return visible(useServerText()(text));
}

/** Messages that the receiver rejected, and actions that send them again. */
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
    showDone(TEXT.queued(count));
    await queries.invalidateQueries({ queryKey: ['outputs', id] });
  }

  return (
    <Section
      title={TEXT.title}
      actions={
        <Button
          size="compact"
          variant="default"
          disabled={!rows.some(({ state }) => state === 'refused')}
          onClick={() => setResendingAll(true)}
        >
          {TEXT.retryAll}
        </Button>
      }
    >
      <RecordList
        label={TEXT.list}
        columns={columns(useServerText())}
        query={query}
        rowId={(row) => String(row.id)}
        onOpen={(row) => setOpenedId(row.id)}
        empty={TEXT.empty}
        height={listHeight(query.data?.pages, 6)}
      />
      <RefusedDetails
        message={opened}
        onClose={() => setOpenedId(undefined)}
        onResend={() => (opened === undefined ? Promise.resolve() : resend([opened.id]))}
      />
      <Confirm
        opened={resendingAll}
        title={TEXT.retryAllTitle}
        action={TEXT.retryAll}
        destructive={false}
        onClose={() => setResendingAll(false)}
        onConfirm={() => resend(undefined)}
      >
        {TEXT.retryAllConsequence}
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
      title={TEXT.detailsTitle}
      onClose={onClose}
      action={
        state === 'refused'
          ? {
              text: TEXT.retry,
              question: TEXT.retryTitle,
              confirm: TEXT.retry,
              consequence: TEXT.retryConsequence,
              run: onResend,
            }
          : undefined
      }
    >
      <Facts
        facts={[
          [
            TEXT.detection,
            <>
              <PageLink to="/detections/$id" params={{ id: detection }} underline="always" inherit>
                {detection}
              </PageLink>
              {TEXT.revision(revision)}
            </>,
          ],
          [TEXT.columns.cause, OUTPUT_TEXT.form.causes[cause]],
          [TEXT.columns.reason, <Reason key="reason" text={reason} />],
          [TEXT.columns.state, <StatusBadge key="state" text={TEXT.states[state]} tone={TONES[state]} />],
          [TEXT.columns.at, <TimeText key="at" at={at} />],
        ]}
      />
    </DetailsDialog>
  );
}
