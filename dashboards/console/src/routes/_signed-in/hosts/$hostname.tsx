import { Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ActivityFigure } from '#schemas/api/activity-figures.ts';
import { call } from '../../../api/client.ts';
import { numberText } from '../../../language/numbers.ts';
import { HostDetections } from '../../../pages/hosts/host-detections.tsx';
import { HostEvents } from '../../../pages/hosts/host-events.tsx';
import { HostPrograms } from '../../../pages/hosts/host-programs.tsx';
import { OpenCount } from '../../../pages/hosts/open-count.tsx';
import { RiskLevel } from '../../../pages/hosts/risk-level.tsx';
import { figuresParam, type ProgramsSearch, timeOf } from '../../../pages/hosts/search.ts';
import { HOSTS_TEXT } from '../../../pages/hosts/text.ts';
import { FigureTiles } from '../../../parts/charts/figure-tile.tsx';
import { defined } from '../../../parts/defined.ts';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { Page } from '../../../parts/page.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { onlyRead } from '../../../parts/search-params.ts';
import { endsOf, rangeText, type TimeRange } from '../../../parts/time/time-range.ts';
import { TimeRangeInput } from '../../../parts/time/time-range-input.tsx';
import { TimeText } from '../../../parts/time/time-text.tsx';
import { minuteText } from '../../../parts/time/time-words.ts';
import { ValueActions } from '../../../parts/values/value-actions.tsx';

export const Route = createFileRoute('/_signed-in/hosts/$hostname')({
  validateSearch: onlyRead(
    (search: Record<string, unknown>): ProgramsSearch =>
      defined({ ...timeOf(search), figures: figuresParam(search.figures) }),
  ),
  component: HostPage,
});

const TEXT = HOSTS_TEXT.facts;

function HostPage() {
  const { hostname } = Route.useParams();
  const { figures, ...time } = Route.useSearch();
  const navigate = useNavigate();
  return (
    <Page
      title={HOSTS_TEXT.hostTitle(hostname)}
      actions={
        <PageLink to="/events" search={{ hostname }} underline="always" size="sm">
          {HOSTS_TEXT.showEvents}
        </PageLink>
      }
    >
      <Group gap="sm" mb="sm" align="flex-end">
        <TimeRangeInput
          value={time}
          onChange={(range) =>
            void navigate({
              to: '/hosts/$hostname',
              params: { hostname },
              search: defined({ ...range, figures }),
              replace: true,
            })
          }
        />
      </Group>
      <Stack gap="sm">
        <Overview hostname={hostname} time={time} />
        <HostEvents hostname={hostname} time={time} />
        <HostDetections hostname={hostname} />
        <HostPrograms
          hostname={hostname}
          time={time}
          figures={figures}
          onFigures={(wanted) =>
            void navigate({
              to: '/hosts/$hostname',
              params: { hostname },
              search: defined({ ...time, figures: wanted }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      </Stack>
    </Page>
  );
}

function Overview({ hostname, time }: { readonly hostname: string; readonly time: TimeRange }) {
  const host = useQuery({
    queryKey: ['host', hostname, time],
    queryFn: async ({ signal }) => {
      const { data } = await call('get', '/api/hosts', {
        signal,
        query: { ...endsOf(time, Date.now()), hostname, limit: 1 },
      });
      return data[0] ?? null;
    },
  });
  if (host.isPending) return <Loader size="sm" aria-label={TEXT.loading} />;
  if (host.isError) return <FailureNotice error={host.error} onRetry={() => void host.refetch()} />;
  if (host.data === null) return <Text>{TEXT.noEvents(rangeText(time))}</Text>;
  const { firstSeen, lastSeen, events, crashes, programs, risk, openDetections } = host.data;
  const figure = (name: ActivityFigure, value: number, content: ReactNode = numberText(value)) => (
    <ValueActions name={name} by="figure" value={value} shown={numberText(value)} list="/hosts" subject={{ hostname }}>
      {content}
    </ValueActions>
  );
  const moment = (at: string) => (
    <ValueActions
      name="time"
      by="range"
      value={at}
      shown={minuteText(new Date(at))}
      list="/events"
      subject={{ hostname }}
    >
      {/* In the size of the other figures, it would take two lines. */}
      <Text span size="md" fw={600}>
        <TimeText at={at} short />
      </Text>
    </ValueActions>
  );
  return (
    <FigureTiles
      label={TEXT.label}
      figures={[
        {
          label: TEXT.openDetections,
          value: figure('openDetections', openDetections, <OpenCount of={host.data} />),
        },
        { label: HOSTS_TEXT.risk.fact, value: figure('risk', risk.normalised, <RiskLevel risk={risk} />) },
        { label: TEXT.crashes, value: figure('crashes', crashes), hint: TEXT.inPrograms(programs) },
        { label: TEXT.events, value: figure('events', events) },
        { label: TEXT.firstEvent, value: moment(firstSeen) },
        { label: TEXT.lastEvent, value: moment(lastSeen) },
      ]}
    />
  );
}
