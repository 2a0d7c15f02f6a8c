import { useInfiniteQuery } from '@tanstack/react-query';
import { type Answer, call } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import { defined } from '../../parts/defined.ts';
import { listHeight } from '../../parts/list-height.ts';
import { type Column, RecordList } from '../../parts/record-list.tsx';
import { Section } from '../../parts/section.tsx';
import { endsOf, type TimeRange } from '../../parts/time-range.ts';
import { visible } from '../../parts/visible.ts';
import { ACTIVITY_COLUMNS, NameCell, OPEN_DETECTIONS } from './activity-columns.tsx';
import { HOSTS_TEXT } from './text.ts';

const TEXT = HOSTS_TEXT.programs;

type Program = Answer<'get', '/api/processes'>['data'][number];

const COLUMNS: readonly Column<Program>[] = [
  {
    id: 'procname',
    header: HOSTS_TEXT.columns.program,
    width: 'minmax(4.5rem, 1fr)',
    cell: ({ procname, lastSeen }) => <NameCell lastSeen={lastSeen}>{visible(procname)}</NameCell>,
  },
  ...ACTIVITY_COLUMNS,
  OPEN_DETECTIONS,
];

/** Programs named by events of the host. */
export function HostPrograms({ hostname, time }: { readonly hostname: string; readonly time: TimeRange }) {
  const query = useInfiniteQuery(
    cursorList<Program>(['processes', hostname, time], (cursor, signal) =>
      call('get', '/api/processes', { signal, query: defined({ ...endsOf(time, Date.now()), hostname, cursor }) }),
    ),
  );
  return (
    <Section title={TEXT.title}>
      <RecordList
        label={TEXT.list}
        columns={COLUMNS}
        query={query}
        rowId={({ procname }) => procname}
        empty={TEXT.empty}
        height={listHeight(query.data?.pages)}
      />
    </Section>
  );
}
