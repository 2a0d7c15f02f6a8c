import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { addressOf, call } from '../../../api/client.ts';
import { type EventRecord, eventText, programOf, typeText } from '../../../pages/events/event-columns.tsx';
import { DownloadMenu } from '../../../parts/download-menu.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { HostLink } from '../../../parts/host-link.tsx';
import { Page } from '../../../parts/page.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { PagePending } from '../../../parts/page-pending.tsx';
import { RawText } from '../../../parts/raw-text.tsx';
import { Section } from '../../../parts/section.tsx';
import { TimeText } from '../../../parts/time-text.tsx';

export const Route = createFileRoute('/_signed-in/events/$id')({
  component: EventPage,
});

/** Before and after an event, ms. */
const AROUND_MS = 60_000;

function EventPage() {
  const { id } = Route.useParams();
  const { data, error, refetch } = useQuery({
    queryKey: ['event', id],
    queryFn: ({ signal }) => call('get', '/api/events/{id}', { path: { id }, query: {}, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error !== null)
    return (
      <Page title="Event">
        <FailureNotice error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (data === undefined) return <PagePending />;
  const {
    time,
    event: { hostname, event },
  } = data;
  const around = {
    ...(hostname ? { hostname } : {}),
    from: new Date(Date.parse(time) - AROUND_MS).toISOString(),
    to: new Date(Date.parse(time) + AROUND_MS).toISOString(),
  };
  const address = addressOf('/api/events/{id}', { path: { id } });
  return (
    <Page
      title={`${typeText(event.type)}${hostname ? ` on ${hostname}` : ''}`}
      actions={<DownloadMenu path={address} query={{}} name="event" many={false} />}
    >
      <Section title="Facts">
        <Facts facts={factsOf(data)} />
        <Group gap="md">
          <PageLink to="/events" search={around} size="sm">
            What else came within a minute{hostname ? ' from this host' : ''}
          </PageLink>
          {hostname && (
            <PageLink to="/detections" search={{ hostname }} size="sm">
              Detections of this host
            </PageLink>
          )}
        </Group>
      </Section>
      <Section title="V1 event, as it came">
        <RawText address={addressOf('/api/events/{id}', { path: { id }, query: { format: 'v1' } })} label="V1 event" />
      </Section>
    </Page>
  );
}

function factsOf(record: EventRecord) {
  const { id, hex, time, received, event } = record;
  const addresses = [
    ['Instruction pointer', hex.ip],
    ['Stack pointer', hex.sp],
    ['Address touched', hex.location],
    ['Mapping begins', hex.vmastart],
  ] as const;
  return [
    ['Time', <TimeText key="time" at={time} exact />],
    ['Host', <HostLink key="host" hostname={event.hostname} />],
    ['Program', programOf(record) ?? '–'],
    ['What', eventText(record) || '–'],
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
    ['Received', <TimeText key="received" at={received} exact />],
    [
      'Id',
      <span key="id" className="tl-mono">
        {id}
      </span>,
    ],
  ] as const;
}
