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
import { TimeText } from '../../../parts/time-text.tsx';
import { ValueActions } from '../../../parts/value-actions.tsx';
import { visible } from '../../../parts/visible.ts';

export const Route = createFileRoute('/_signed-in/events/$id')({
  component: EventPage,
});

const TEXT = EVENTS_TEXT.facts;
/** Time before and after the event, in ms, of the link to nearby events. */
const NEARBY_MS = 60_000;

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

/** A minute before and after. */
function around(time: string) {
  const at = Date.parse(time);
  return { from: new Date(at - NEARBY_MS).toISOString(), to: new Date(at + NEARBY_MS).toISOString() };
}

function factsOf(record: EventRecord) {
  const { id, hex, time, received, event } = record;
  const addresses = [
    [TEXT.instructionPointer, hex.ip],
    [TEXT.stackPointer, hex.sp],
    [TEXT.location, hex.location],
    [TEXT.mappingStart, hex.vmastart],
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
  return [
    [TEXT.time, <TimeText key="time" at={time} exact />],
    [EVENTS_TEXT.columns.type, withMenu('type', event.event.type, typeText(event.event.type))],
    [TEXT.host, withMenu('hostname', event.hostname, event.hostname, <HostLink hostname={event.hostname} />)],
    [TEXT.program, withMenu('procname', program, program)],
    [TEXT.details, eventText(record) || '–'],
    ...processFacts('/events', processOf(record), subject),
    ...addresses.flatMap(([name, value]) =>
      value === undefined
        ? []
        : [
            [
              name,
              <span key={name} className="tl-mono">
                {value}
              </span>,
            ] as const,
          ],
    ),
    [TEXT.received, <TimeText key="received" at={received} exact />],
    [
      TEXT.id,
      <span key="id" className="tl-mono">
        {id}
      </span>,
    ],
  ] as const;
}
