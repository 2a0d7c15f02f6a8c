import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import { DownloadMenu } from '../../parts/download-menu.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Section } from '../../parts/section.tsx';
import { EVIDENCE_COLUMNS, type EventRecord } from '../events/event-columns.tsx';
import type { Detection } from './detection-types.ts';
import { DETECTION_TEXT } from './text.ts';

const TEXT = DETECTION_TEXT.evidence;

type Evidenced = Pick<Detection, 'id' | 'procname' | 'evidenceCount' | 'hostsTotal'>;

/** All events that can be evidence of the detection, with their exact addresses. */
export function EvidenceSection({ of: { id, procname, evidenceCount, hostsTotal } }: { readonly of: Evidenced }) {
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
          <PageLink to="/events" search={{ detection: id }} size="sm">
            {TEXT.openInEvents}
          </PageLink>
          <DownloadMenu path="/api/events" query={{ detection: id }} name={`evidence-${id}`} />
        </>
      }
    >
      <Text size="sm" c="dimmed" mb="xs">
        {TEXT.hint(procname !== null, hostsTotal, evidenceCount)}
      </Text>
      <RecordList
        label={TEXT.list}
        query={list}
        columns={EVIDENCE_COLUMNS}
        rowId={(event) => event.id}
        onOpen={(event) => void navigate({ to: '/events/$id', params: { id: event.id } })}
        empty={TEXT.empty}
        height="22rem"
      />
    </Section>
  );
}
