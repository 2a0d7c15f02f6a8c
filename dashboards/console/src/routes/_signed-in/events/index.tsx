import { Button, Collapse, Grid, Loader } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { cursorList } from '../../../api/lists.ts';
import { APP_TEXT } from '../../../app/text.ts';
import { EVENT_COLUMNS, type EventRecord } from '../../../pages/events/event-columns.tsx';
import { EventFilterBar } from '../../../pages/events/event-filters.tsx';
import { EventHistogram } from '../../../pages/events/event-histogram.tsx';
import { Facets } from '../../../pages/events/facets.tsx';
import { type EventFilters, eventsQuery, readEventFilters } from '../../../pages/events/filters.ts';
import { EVENTS_TEXT } from '../../../pages/events/text.ts';
import { useEventSummary } from '../../../pages/events/use-event-summary.ts';
import { defined } from '../../../parts/defined.ts';
import { DownloadMenu } from '../../../parts/download-menu.tsx';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { RecordList } from '../../../parts/list/record-list.tsx';
import { Page } from '../../../parts/page.tsx';
import { onlyRead } from '../../../parts/search-params.ts';
import { isAllTime } from '../../../parts/time/time-range.ts';

export const Route = createFileRoute('/_signed-in/events/')({
  staticData: {
    section: { group: 'Detection', order: 2, label: APP_TEXT.sections.events, role: 'analyst', keys: 'g e' },
  },
  validateSearch: onlyRead(readEventFilters),
  component: EventsPage,
});

function EventsPage() {
  const filters = Route.useSearch();
  const navigate = Route.useNavigate();
  const [openedAt] = useState(() => Date.now());
  const wide = useMediaQuery('(min-width: 62em)', true);
  const [facetsOpened, facets] = useDisclosure(false);
  const asked = eventsQuery(filters, openedAt);
  const list = useInfiniteQuery(
    cursorList<EventRecord>(['events', asked], (cursor, signal) =>
      call('get', '/api/events', { query: { ...asked, limit: 200, ...(cursor && { cursor }) }, signal }),
    ),
  );
  const summary = useEventSummary(filters, openedAt);
  const change = (changed: Partial<EventFilters>) => void navigate({ search: defined({ ...filters, ...changed }) });

  return (
    <Page title={EVENTS_TEXT.title} actions={<DownloadMenu path="/api/events" query={asked} name="events" />}>
      <EventFilterBar filters={filters} onChange={change} />
      {/* If both requests fail, only the list shows the error. */}
      {summary.error !== null && !list.isError && (
        <FailureNotice error={summary.error} onRetry={() => void summary.refetch()} />
      )}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 2.6 }}>
          {!wide && (
            <Button size="compact" variant="default" aria-expanded={facetsOpened} onClick={facets.toggle} mb="xs">
              {facetsOpened ? EVENTS_TEXT.facets.hide : EVENTS_TEXT.facets.show}
            </Button>
          )}
          <Collapse expanded={wide || facetsOpened}>
            {summary.data === undefined ? (
              summary.error === null && <Loader size="sm" aria-label={EVENTS_TEXT.facets.loading} />
            ) : (
              <Facets summary={summary.data} filters={filters} onChange={change} />
            )}
          </Collapse>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 9.4 }}>
          {summary.data !== undefined && (
            <EventHistogram
              summary={summary.data}
              filters={filters}
              onRange={(first, last) => change({ range: undefined, from: first, to: last })}
            />
          )}
          <RecordList
            label={EVENTS_TEXT.list}
            query={list}
            columns={EVENT_COLUMNS}
            rowId={({ id }) => id}
            onOpen={({ id }) => void navigate({ to: '/events/$id', params: { id } })}
            empty={Object.keys(filters).length === 0 ? EVENTS_TEXT.empty : EVENTS_TEXT.noMatch}
            ofAllTime={isAllTime(filters)}
            height="max(18rem, calc(100dvh - 23rem))"
          />
        </Grid.Col>
      </Grid>
    </Page>
  );
}
