import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Answer, call } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import { defined } from '../../parts/defined.ts';
import { listHeight } from '../../parts/list-height.ts';
import { type Column, RecordList } from '../../parts/record-list.tsx';
import { Section } from '../../parts/section.tsx';
import { SeverityText } from '../../parts/severity-text.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { ValueActions } from '../../parts/value-actions.tsx';
import { DETECTIONS_TEXT } from '../detections/text.ts';
import { HOSTS_TEXT } from './text.ts';

const TEXT = HOSTS_TEXT.detections;

type Detection = Answer<'get', '/api/detections'>['data'][number];

const COLUMNS: readonly Column<Detection>[] = [
  {
    id: 'severity',
    header: TEXT.columns.severity,
    width: '5rem',
    cell: ({ severity, hostname, procname }) => (
      <ValueActions name="severity" value={severity} list="/detections" subject={{ hostname, procname }} inRow>
        <SeverityText severity={severity} />
      </ValueActions>
    ),
  },
  { id: 'message', header: TEXT.columns.detection, width: 'minmax(5rem, 1fr)', cell: ({ message }) => message },
  {
    id: 'status',
    header: TEXT.columns.status,
    width: '8rem',
    wideOnly: true,
    cell: ({ status, hostname, procname }) => (
      <ValueActions
        name="status"
        value={status}
        shown={DETECTIONS_TEXT.statuses[status]}
        list="/detections"
        subject={{ hostname, procname }}
        inRow
      >
        {DETECTIONS_TEXT.statuses[status]}
      </ValueActions>
    ),
  },
  {
    id: 'lastSeen',
    header: TEXT.columns.lastSeen,
    width: '8rem',
    wideOnly: true,
    cell: ({ lastSeen }) => <TimeText at={lastSeen} ago />,
  },
];

/** All detections on the host, newest first. */
export function HostDetections({ hostname }: { readonly hostname: string }) {
  const navigate = useNavigate();
  const query = useInfiniteQuery(
    cursorList<Detection>(['detections', { hostname }], (cursor, signal) =>
      call('get', '/api/detections', { signal, query: defined({ hostname, cursor }) }),
    ),
  );
  return (
    <Section title={TEXT.title}>
      <RecordList
        label={TEXT.list}
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/detections/$id', params: { id } })}
        empty={TEXT.empty}
        height={listHeight(query.data?.pages, 6)}
      />
    </Section>
  );
}
