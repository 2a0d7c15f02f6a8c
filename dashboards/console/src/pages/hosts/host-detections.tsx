import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Answer, call } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import { defined } from '../../parts/defined.ts';
import { listHeight } from '../../parts/list-height.ts';
import { type Column, RecordList } from '../../parts/record-list.tsx';
import { Section } from '../../parts/section.tsx';
import { SeverityBadge } from '../../parts/severity-badge.tsx';
import { TimeText } from '../../parts/time-text.tsx';

type Detection = Answer<'get', '/api/detections'>['data'][number];

const COLUMNS: readonly Column<Detection>[] = [
  { id: 'severity', header: 'Severity', width: '5rem', cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  { id: 'message', header: 'What', width: 'minmax(5rem, 1fr)', cell: ({ message }) => message },
  { id: 'status', header: 'Status', width: '8rem', wideOnly: true, cell: ({ status }) => status },
  {
    id: 'lastSeen',
    header: 'Latest',
    width: '8rem',
    wideOnly: true,
    cell: ({ lastSeen }) => <TimeText at={lastSeen} ago />,
  },
];

/** Detections on the host, of all times, the newest first. */
export function HostDetections({ hostname }: { readonly hostname: string }) {
  const navigate = useNavigate();
  const query = useInfiniteQuery(
    cursorList<Detection>(['detections', { hostname }], (cursor, signal) =>
      call('get', '/api/detections', { signal, query: defined({ hostname, cursor }) }),
    ),
  );
  return (
    <Section title="Detections">
      <RecordList
        label="Detections on the host"
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/detections/$id', params: { id } })}
        empty="Nothing was detected on this host."
        height={listHeight(query.data?.pages, 6)}
      />
    </Section>
  );
}
