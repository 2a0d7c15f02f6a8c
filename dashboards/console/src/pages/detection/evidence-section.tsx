import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import { DownloadMenu } from '../../parts/download-menu.tsx';
import { RecordList } from '../../parts/list/record-list.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { CAMPAIGN_COLUMNS, EVIDENCE_COLUMNS, type EventRecord, HOST_COLUMNS } from '../events/event-columns.tsx';
import type { Detection } from './detection-types.ts';
import { DETECTION_TEXT } from './text.ts';

const TEXT = DETECTION_TEXT.evidence;

type Evidenced = Pick<
  Detection,
  'id' | 'procname' | 'evidenceCount' | 'hostsTotal' | 'risk' | 'firstSeen' | 'lastSeen'
>;

/** Maximum age of events before the first evidence with which a rule compares, ms. */
const BEFORE_MS = 60_000;

/** Returns the time range of a detection's events, in whole milliseconds, for the chart of the events page. */
function timeOf({ firstSeen, lastSeen }: Pick<Detection, 'firstSeen' | 'lastSeen'>) {
  return {
    from: new Date(Date.parse(firstSeen) - BEFORE_MS).toISOString(),
    to: new Date(Date.parse(lastSeen) + 1).toISOString(),
  };
}

/** Lists all events that can be evidence of the detection, with their exact addresses. */
export function EvidenceSection({ of }: { readonly of: Evidenced }) {
  const { id, procname, evidenceCount, hostsTotal, risk } = of;
  const navigate = useNavigate();
  const list = useInfiniteQuery(
    cursorList<EventRecord>(['events', { detection: id }], (cursor, signal) =>
      call('get', '/api/events', { query: { detection: id, limit: 200, ...(cursor && { cursor }) }, signal }),
    ),
  );
  return (
    <Section
      title={TEXT.title}
      actions={
        <>
          <PageLink to="/events" search={{ detection: id, ...timeOf(of) }} size="sm">
            {TEXT.openInEvents}
          </PageLink>
          <DownloadMenu path="/api/events" query={{ detection: id }} name={`evidence-${id}`} />
        </>
      }
    >
      <Text size="sm" c="dimmed" mb="xs">
        {risk === null ? TEXT.hint(procname !== null, hostsTotal, evidenceCount) : TEXT.ofSigns}
      </Text>
      <RecordList
        label={TEXT.list}
        query={list}
        columns={hostsTotal > 0 ? CAMPAIGN_COLUMNS : procname === null ? HOST_COLUMNS : EVIDENCE_COLUMNS}
        rowId={(event) => event.id}
        onOpen={(event) => void navigate({ to: '/events/$id', params: { id: event.id } })}
        empty={TEXT.empty}
        height="22rem"
      />
    </Section>
  );
}
