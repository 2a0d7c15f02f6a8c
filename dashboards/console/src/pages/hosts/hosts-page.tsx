import { Group, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { type Answer, call } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import { defined } from '../../parts/defined.ts';
import { Page } from '../../parts/page.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { PhoneLine } from '../../parts/phone-line.tsx';
import { type Column, RecordList } from '../../parts/record-list.tsx';
import { useShortcuts } from '../../parts/shortcuts.ts';
import { endsOf } from '../../parts/time-range.ts';
import { TimeRangeInput } from '../../parts/time-range-input.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import { OpenCount } from './open-count.tsx';
import { type HostsSearch, hostsRoute } from './routes.ts';

type Host = Answer<'get', '/api/hosts'>['data'][number];

const COLUMNS: readonly Column<Host>[] = [
  {
    id: 'hostname',
    header: 'Host',
    width: 'minmax(5rem, 1fr)',
    cell: ({ hostname, lastSeen }) => (
      <>
        {/* Dots where it is too long, which a cell of two lines does not put there by itself. */}
        <Text size="sm" truncate lh={1.25}>
          {hostname === null ? <em>names no host</em> : visible(hostname)}
        </Text>
        <PhoneLine>
          <TimeText at={lastSeen} ago />
        </PhoneLine>
      </>
    ),
  },
  {
    id: 'lastSeen',
    header: 'Last event',
    width: '8rem',
    wideOnly: true,
    cell: ({ lastSeen }) => <TimeText at={lastSeen} ago />,
  },
  { id: 'events', header: 'Events', width: '6rem', wideOnly: true, cell: ({ events }) => events.toLocaleString() },
  { id: 'crashes', header: 'Crashes', width: '6rem', wideOnly: true, cell: ({ crashes }) => crashes.toLocaleString() },
  {
    id: 'programs',
    header: 'Programs',
    width: '6rem',
    wideOnly: true,
    cell: ({ programs }) => programs.toLocaleString(),
  },
  { id: 'detections', header: 'Open detections', width: '8rem', cell: (host) => <OpenCount of={host} /> },
];

export function HostsPage() {
  const search = hostsRoute.useSearch();
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
