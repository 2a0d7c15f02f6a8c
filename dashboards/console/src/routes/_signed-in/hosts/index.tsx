import { Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { type Answer, call } from '../../../api/client.ts';
import { cursorList } from '../../../api/lists.ts';
import { ACTIVITY_COLUMNS, NameCell, OPEN_DETECTIONS } from '../../../pages/hosts/activity-columns.tsx';
import { type HostsSearch, timeOf } from '../../../pages/hosts/search.ts';
import { defined } from '../../../parts/defined.ts';
import { Page } from '../../../parts/page.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { type Column, RecordList } from '../../../parts/record-list.tsx';
import { onlyRead, textParam } from '../../../parts/search-params.ts';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { endsOf } from '../../../parts/time-range.ts';
import { TimeRangeInput } from '../../../parts/time-range-input.tsx';
import { visible } from '../../../parts/visible.ts';

export const Route = createFileRoute('/_signed-in/hosts/')({
  staticData: { section: { group: 'Detection', order: 3, label: 'Hosts', role: 'analyst', keys: 'g h' } },
  validateSearch: onlyRead(
    (search: Record<string, unknown>): HostsSearch => defined({ ...timeOf(search), q: textParam(search.q) }),
  ),
  component: HostsPage,
});

type Host = Answer<'get', '/api/hosts'>['data'][number];

const COLUMNS: readonly Column<Host>[] = [
  {
    id: 'hostname',
    header: 'Host',
    width: 'minmax(5rem, 1fr)',
    cell: ({ hostname, lastSeen }) => (
      <NameCell lastSeen={lastSeen}>{hostname === null ? <em>names no host</em> : visible(hostname)}</NameCell>
    ),
  },
  ...ACTIVITY_COLUMNS,
  {
    id: 'programs',
    header: 'Programs',
    width: '6rem',
    wideOnly: true,
    cell: ({ programs }) => programs.toLocaleString(),
  },
  OPEN_DETECTIONS,
];

function HostsPage() {
  const search = Route.useSearch();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', does: 'Search hosts', run: () => field.current?.focus() }]);
  const query = useInfiniteQuery(
    cursorList<Host>(['hosts', search], (cursor, signal) =>
      call('get', '/api/hosts', { signal, query: defined({ ...endsOf(search, Date.now()), q: search.q, cursor }) }),
    ),
  );
  const narrow = (wanted: HostsSearch) => void navigate({ to: '/hosts', search: defined(wanted), replace: true });
  const find = useDebouncedCallback(
    (q: string) => narrow({ ...search, q: q.trim() === '' ? undefined : q.trim() }),
    300,
  );
  const { q, ...time } = search;

  return (
    <Page title="Hosts">
      <Group gap="sm" mb="sm" align="flex-end">
        <TextInput
          ref={field}
          type="search"
          size="xs"
          label="Name"
          placeholder="part of it"
          maxLength={255}
          defaultValue={q ?? ''}
          onChange={({ currentTarget }) => find(currentTarget.value)}
        />
        <TimeRangeInput value={time} onChange={(range) => narrow({ ...range, q })} />
      </Group>
      <RecordList
        label="Hosts"
        columns={COLUMNS}
        query={query}
        rowId={({ hostname }) => (hostname === null ? 'none' : `=${hostname}`)}
        onOpen={({ hostname }) => {
          if (hostname !== null) void navigate({ to: '/hosts/$hostname', params: { hostname }, search: time });
        }}
        empty={
          q === undefined ? (
            <>
              {Object.keys(time).length === 0
                ? 'No host has sent an event yet: '
                : 'No host sent an event in this time. Choose a longer one, or '}
              <PageLink to="/first-steps" underline="always" inherit>
                connect a detector
              </PageLink>
              .
            </>
          ) : (
            'No host with this in its name sent an event in this time.'
          )
        }
      />
    </Page>
  );
}
