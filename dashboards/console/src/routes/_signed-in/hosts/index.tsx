import { Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { ACTIVITY_SORTS } from '#schemas/api/activity-sort.ts';
import { type Answer, call } from '../../../api/client.ts';
import { cursorList } from '../../../api/lists.ts';
import { APP_TEXT } from '../../../app/text.ts';
import { numberText } from '../../../language/numbers.ts';
import { activityColumns, activityValues, NameCell, OPEN_DETECTIONS } from '../../../pages/hosts/activity-columns.tsx';
import { figuresParam, type HostsSearch, timeOf } from '../../../pages/hosts/search.ts';
import { HOSTS_TEXT } from '../../../pages/hosts/text.ts';
import { defined } from '../../../parts/defined.ts';
import { FigureChips } from '../../../parts/filters/figure-chips.tsx';
import { type Column, RecordList } from '../../../parts/list/record-list.tsx';
import { Page } from '../../../parts/page.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { choiceParam, onlyRead, textParam } from '../../../parts/search-params.ts';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { endsOf } from '../../../parts/time/time-range.ts';
import { TimeRangeInput } from '../../../parts/time/time-range-input.tsx';
import { rowValuesColumn } from '../../../parts/values/row-values.tsx';
import { ValueActions } from '../../../parts/values/value-actions.tsx';
import { visible } from '../../../parts/visible.ts';

export const Route = createFileRoute('/_signed-in/hosts/')({
  staticData: {
    section: { group: 'Detection', order: 3, label: APP_TEXT.sections.hosts, role: 'analyst', keys: 'g h' },
  },
  validateSearch: onlyRead(
    (search: Record<string, unknown>): HostsSearch =>
      defined({
        ...timeOf(search),
        q: textParam(search.q),
        figures: figuresParam(search.figures),
        sort: choiceParam(search.sort, ACTIVITY_SORTS),
      }),
  ),
  component: HostsPage,
});

type Host = Answer<'get', '/api/hosts'>['data'][number];

const columnsOf = (...sorting: Parameters<typeof activityColumns>): readonly Column<Host>[] => [
  {
    id: 'hostname',
    header: HOSTS_TEXT.columns.host,
    width: 'minmax(5rem, 1fr)',
    cell: ({ hostname, lastSeen }) => (
      <NameCell lastSeen={lastSeen}>
        {hostname === null ? (
          <em>{HOSTS_TEXT.unnamed}</em>
        ) : (
          <ValueActions name="hostname" value={hostname} list="/detections" inRow>
            {visible(hostname)}
          </ValueActions>
        )}
      </NameCell>
    ),
  },
  ...activityColumns(...sorting),
  {
    id: 'programs',
    header: HOSTS_TEXT.columns.programs,
    width: '6rem',
    align: 'end',
    wideOnly: true,
    cell: ({ hostname, programs }) => (
      <ValueActions
        name="programs"
        by="figure"
        value={programs}
        shown={numberText(programs)}
        list="/hosts"
        subject={{ hostname }}
        inRow
      >
        {numberText(programs)}
      </ValueActions>
    ),
  },
  OPEN_DETECTIONS,
  rowValuesColumn<Host>({
    list: '/detections',
    titleOf: ({ hostname }) => hostname ?? HOSTS_TEXT.unnamed,
    subjectOf: ({ hostname }) => ({ hostname }),
    valuesOf: (host) => [
      { name: 'hostname', label: HOSTS_TEXT.columns.host, value: host.hostname },
      ...activityValues(host),
    ],
  }),
];

function HostsPage() {
  const search = Route.useSearch();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', does: HOSTS_TEXT.search, run: () => field.current?.focus() }]);
  const query = useInfiniteQuery(
    cursorList<Host>(['hosts', search], (cursor, signal) =>
      call('get', '/api/hosts', {
        signal,
        query: defined({
          ...endsOf(search, Date.now()),
          q: search.q,
          figures: search.figures,
          sort: search.sort,
          cursor,
        }),
      }),
    ),
  );
  const narrow = (wanted: HostsSearch) => void navigate({ to: '/hosts', search: defined(wanted), replace: true });
  const find = useDebouncedCallback(
    (q: string) => narrow({ ...search, q: q.trim() === '' ? undefined : q.trim() }),
    300,
  );
  const { q, sort, figures, ...time } = search;

  return (
    <Page title={HOSTS_TEXT.title}>
      <Group gap="sm" mb="sm" align="flex-end">
        <TextInput
          ref={field}
          type="search"
          size="xs"
          label={HOSTS_TEXT.name}
          placeholder={HOSTS_TEXT.namePlaceholder}
          maxLength={255}
          defaultValue={q ?? ''}
          onChange={({ currentTarget }) => find(currentTarget.value)}
        />
        <TimeRangeInput value={time} onChange={(range) => narrow({ ...range, q, figures, sort })} />
      </Group>
      <FigureChips
        value={figures}
        names={HOSTS_TEXT.figures}
        onChange={(wanted) => narrow({ ...search, figures: wanted })}
      />
      <RecordList
        label={HOSTS_TEXT.list}
        columns={columnsOf(sort ?? 'lastSeen', (by) => narrow({ ...search, sort: by === 'lastSeen' ? undefined : by }))}
        query={query}
        rowId={({ hostname }) => (hostname === null ? 'none' : `=${hostname}`)}
        onOpen={({ hostname }) => {
          if (hostname !== null) void navigate({ to: '/hosts/$hostname', params: { hostname }, search: time });
        }}
        empty={
          q === undefined && figures === undefined ? (
            <>
              {Object.keys(time).length === 0 ? HOSTS_TEXT.empty : HOSTS_TEXT.emptyRange}{' '}
              <PageLink to="/first-steps" underline="always" inherit>
                {HOSTS_TEXT.connect}
              </PageLink>
            </>
          ) : (
            HOSTS_TEXT.noMatch
          )
        }
      />
    </Page>
  );
}
