import { Button, Switch } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { cursorList } from '../../../api/lists.ts';
import { may } from '../../../api/session.ts';
import { useProfile } from '../../../app/use-profile.ts';
import { ExceptionDetails } from '../../../pages/exceptions/exception-details.tsx';
import { type Exception, subjectText } from '../../../pages/exceptions/exception-state.ts';
import { ExceptionStateBadge } from '../../../pages/exceptions/exception-state-badge.tsx';
import { FileExceptions } from '../../../pages/exceptions/file-exceptions.tsx';
import type { ExceptionsSearch } from '../../../pages/exceptions/search.ts';
import { defined } from '../../../parts/defined.ts';
import { Page } from '../../../parts/page.tsx';
import { type Column, RecordList } from '../../../parts/record-list.tsx';
import { choiceParam, onlyRead } from '../../../parts/search-params.ts';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { TimeText } from '../../../parts/time-text.tsx';

export const Route = createFileRoute('/_signed-in/exceptions/')({
  staticData: { section: { group: 'Detection', order: 6, label: 'Exceptions', role: 'analyst', keys: 'g x' } },
  validateSearch: onlyRead(
    (search: Record<string, unknown>): ExceptionsSearch =>
      defined({ ended: choiceParam(String(search.ended), ['true']) }),
  ),
  component: ExceptionsPage,
});

const COLUMNS: readonly Column<Exception>[] = [
  { id: 'subject', header: 'Silences', width: 'minmax(6rem, 1.5fr)', cell: subjectText },
  { id: 'reason', header: 'Why', width: 'minmax(6rem, 1fr)', wideOnly: true, cell: ({ reason }) => reason },
  {
    id: 'expires',
    header: 'Until',
    width: '6.5rem',
    cell: ({ expires }) => (expires === null ? 'for good' : <TimeText at={expires} ago />),
  },
  { id: 'state', header: 'State', width: '6rem', cell: (exception) => <ExceptionStateBadge of={exception} /> },
];

function ExceptionsPage() {
  const { ended } = Route.useSearch();
  const navigate = useNavigate();
  const admin = may(useProfile(), 'admin');
  const [openedId, setOpenedId] = useState<string>();
  const make = () => void navigate({ to: '/exceptions/new', search: {} });
  useShortcuts([{ keys: 'n', does: 'Make an exception', run: make }]);
  const query = useInfiniteQuery(
    cursorList<Exception>(['exceptions', ended], (cursor, signal) =>
      call('get', '/api/exceptions', {
        signal,
        query: defined({ ended: ended === 'true' ? true : undefined, cursor }),
      }),
    ),
  );
  const opened = query.data?.pages.flatMap(({ data }) => data).find(({ id }) => id === openedId);
  return (
    <Page
      title="Exceptions"
      actions={
        <Button size="compact-md" onClick={make}>
          {admin ? 'Make an exception' : 'Try an exception'}
        </Button>
      }
    >
      <Switch
        mb="sm"
        size="sm"
        label="Also those that were taken away"
        checked={ended === 'true'}
        onChange={({ currentTarget }) =>
          void navigate({ to: '/exceptions', search: currentTarget.checked ? { ended: 'true' } : {}, replace: true })
        }
      />
      <RecordList
        label="Exceptions"
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ id }) => setOpenedId(id)}
        empty="Nothing is silenced. When something harmless is detected again and again, make an exception for it."
        height="max(16rem, calc(100dvh - 22rem))"
      />
      <FileExceptions />
      <ExceptionDetails
        exception={opened}
        removable={admin}
        onClose={() => setOpenedId(undefined)}
        onRemoved={() => void query.refetch()}
      />
    </Page>
  );
}
