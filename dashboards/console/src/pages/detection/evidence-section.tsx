import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import { counted } from '../../parts/counted.ts';
import { DownloadMenu } from '../../parts/download-menu.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Section } from '../../parts/section.tsx';
import { EVIDENCE_COLUMNS, type EventRecord } from '../events/event-columns.tsx';

import type { Detection } from './detection-types.ts';

type Evidenced = Pick<Detection, 'id' | 'procname' | 'evidenceCount'>;

/** All events the detection can rest on, with their exact addresses. */
export function EvidenceSection({ of: { id, procname, evidenceCount } }: { readonly of: Evidenced }) {
  const navigate = useNavigate();
  const list = useInfiniteQuery(
    cursorList<EventRecord>(['events', { detection: id }], (cursor, signal) =>
      call('get', '/api/events', { query: { detection: id, limit: 200, ...(cursor && { cursor }) }, signal }),
    ),
  );
  return (
    <Section
      title="Evidence"
      actions={
        <>
          <PageLink to="/events" search={{ detection: id }} size="sm">
            In the explorer
          </PageLink>
          <DownloadMenu path="/api/events" query={{ detection: id }} name={`evidence-${id}`} />
        </>
      }
    >
      <Text size="sm" c="dimmed" mb="xs">
        What {procname === null ? 'the host' : 'the program'} said from the first evidence to the last. The rule rests
        on {counted(evidenceCount, 'event')} of it.
      </Text>
      <RecordList
        label="Evidence"
        query={list}
        columns={EVIDENCE_COLUMNS}
        rowId={(event) => event.id}
        onOpen={(event) => void navigate({ to: '/events/$id', params: { id: event.id } })}
        empty="The events are no longer kept."
        height="22rem"
      />
    </Section>
  );
}
