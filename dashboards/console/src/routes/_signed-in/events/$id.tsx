import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOf, call } from '../../../api/client.ts';
import { type EventRecord, eventText, programOf, typeText } from '../../../pages/events/event-columns.tsx';
import { processOf } from '../../../pages/events/process-of.ts';
import { EVENTS_TEXT } from '../../../pages/events/text.ts';
import { DownloadMenu } from '../../../parts/download-menu.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { HostLink } from '../../../parts/host-link.tsx';
import { Page } from '../../../parts/page.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { PagePending } from '../../../parts/page-pending.tsx';
import { processFacts } from '../../../parts/process-facts.tsx';
import { RawText } from '../../../parts/raw-text.tsx';
import { Section } from '../../../parts/section.tsx';
import { TimeText } from '../../../parts/time/time-text.tsx';
import { exactText } from '../../../parts/time/time-words.ts';
import { ValueActions } from '../../../parts/values/value-actions.tsx';
import type { Narrowing } from '../../../parts/values/value-filters.ts';
import { around } from '../../../parts/values/value-related.ts';
import { visible } from '../../../parts/visible.ts';

export const Route = createFileRoute('/_signed-in/events/$id')({
  component: EventPage,
});

const TEXT = EVENTS_TEXT.facts;

function EventPage() {
  const { id } = Route.useParams();
  const { data, error, refetch } = useQuery({
    queryKey: ['event', id],
    queryFn: ({ signal }) => call('get', '/api/events/{id}', { path: { id }, query: {}, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null)
    return (
      <Page title={EVENTS_TEXT.eventTitle}>
        <FailureNotice error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (data === undefined) return <PagePending />;
  const {
    time,
    event: { hostname, event },
  } = data;
  const nearby = {
    ...(hostname ? { hostname } : {}),
    ...around(time),
  };
  const address = addressOf('/api/events/{id}', { path: { id } });
  return (
    <Page
      title={EVENTS_TEXT.name(typeText(event.type), hostname)}
      actions={<DownloadMenu path={address} query={{}} name="event" many={false} />}
    >
      <Section title={TEXT.title}>
        <Facts facts={factsOf(data)} />
        <Group gap="md">
          <PageLink to="/events" search={nearby} size="sm">
            {hostname ? TEXT.nearbyOnHost : TEXT.nearby}
          </PageLink>
          {hostname && (
            <PageLink to="/detections" search={{ hostname }} size="sm">
              {TEXT.detections}
            </PageLink>
          )}
        </Group>
      </Section>
      <Section title={EVENTS_TEXT.raw.title}>
        <RawText
          address={addressOf('/api/events/{id}', { path: { id }, query: { format: 'v1' } })}
          label={EVENTS_TEXT.raw.label}
        />
      </Section>
    </Page>
  );
}

const monospaced = (text: string) => <span className="tl-mono">{text}</span>;

function factsOf(record: EventRecord) {
  const { id, hex, time, received, event } = record;
  const addresses = [
    [TEXT.instructionPointer, 'ip'],
    [TEXT.stackPointer, 'sp'],
    [TEXT.location, 'location'],
    [TEXT.mappingStart, 'vmastart'],
  ] as const;
  const program = programOf(record);
  const subject = { hostname: event.hostname, procname: program, ...around(time) };
  const withMenu = (
    name: 'type' | 'hostname' | 'procname',
    value: string | null | undefined,
    shown: string | null | undefined,
    content: ReactNode = shown ? visible(shown) : '–',
  ) => (
    <ValueActions key={name} name={name} value={value} shown={shown} list="/events" subject={subject}>
      {content}
    </ValueActions>
  );
  const searched = (name: string, by: Narrowing, value: string, shown: string, content: ReactNode) => (
    <ValueActions key={name} name={name} by={by} value={value} shown={shown} list="/events" subject={subject}>
      {content}
    </ValueActions>
  );
  const moment = (name: string, by: Narrowing, at: string) =>
    searched(name, by, at, exactText(new Date(at)), <TimeText at={at} exact />);
  const details = eventText(record);
  return [
    [TEXT.time, moment('time', 'range', time)],
    [EVENTS_TEXT.columns.type, withMenu('type', event.event.type, typeText(event.event.type))],
    [TEXT.host, withMenu('hostname', event.hostname, event.hostname, <HostLink hostname={event.hostname} />)],
    [TEXT.program, withMenu('procname', program, program)],
    [
      TEXT.details,
      <ValueActions key="details" name="details" value={details} subject={subject}>
        {visible(details) || '–'}
      </ValueActions>,
    ],
    ...processFacts('/events', processOf(record), subject),
    ...addresses.flatMap(([label, name]) => {
      const value = hex[name];
      return value === undefined ? [] : [[label, searched(name, 'term', value, value, monospaced(value))] as const];
    }),
    [TEXT.received, moment('received', 'moment', received)],
    [
      TEXT.id,
      <ValueActions key="id" name="id" value={id} subject={subject}>
        {monospaced(id)}
      </ValueActions>,
    ],
  ] as const;
}
