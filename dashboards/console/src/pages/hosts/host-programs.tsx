import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ActivitySort } from '#schemas/api/activity-sort.ts';
import { type Answer, call } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import { defined } from '../../parts/defined.ts';
import { FigureChips } from '../../parts/filters/figure-chips.tsx';
import { listHeight } from '../../parts/list/list-height.ts';
import { type Column, RecordList } from '../../parts/list/record-list.tsx';
import { Section } from '../../parts/section.tsx';
import { endsOf, type TimeRange } from '../../parts/time/time-range.ts';
import { rowValuesColumn } from '../../parts/values/row-values.tsx';
import { ValueActions } from '../../parts/values/value-actions.tsx';
import { visible } from '../../parts/visible.ts';
import { activityColumns, activityValues, NameCell, OPEN_DETECTIONS } from './activity-columns.tsx';
import { HOSTS_TEXT } from './text.ts';

const TEXT = HOSTS_TEXT.programs;

type Program = Answer<'get', '/api/processes'>['data'][number];

const columnsOf = (...sorting: Parameters<typeof activityColumns>): readonly Column<Program>[] => [
  {
    id: 'procname',
    header: HOSTS_TEXT.columns.program,
    width: 'minmax(4.5rem, 1fr)',
    cell: ({ procname, hostname, lastSeen }) => (
      <NameCell lastSeen={lastSeen}>
        <ValueActions name="procname" value={procname} list="/detections" subject={{ hostname, procname }} inRow>
          {visible(procname)}
        </ValueActions>
      </NameCell>
    ),
  },
  ...activityColumns(...sorting),
  OPEN_DETECTIONS,
  rowValuesColumn<Program>({
    list: '/detections',
    titleOf: ({ procname }) => procname,
    subjectOf: ({ hostname, procname }) => ({ hostname, procname }),
    valuesOf: (program) => [
      { name: 'procname', label: HOSTS_TEXT.columns.program, value: program.procname },
      ...activityValues(program),
    ],
  }),
];

/** Programs that the host's events contain. */
export function HostPrograms({
  hostname,
  time,
  figures,
  onFigures,
}: {
  readonly hostname: string;
  readonly time: TimeRange;
  /** Conditions that the programs must meet. */
  readonly figures: string | undefined;
  readonly onFigures: (figures: string | undefined) => void;
}) {
  const [sort, setSort] = useState<ActivitySort>('lastSeen');
  const query = useInfiniteQuery(
    cursorList<Program>(['processes', hostname, time, figures, sort], (cursor, signal) =>
      call('get', '/api/processes', {
        signal,
        query: defined({ ...endsOf(time, Date.now()), hostname, figures, sort, cursor }),
      }),
    ),
  );
  return (
    <Section title={TEXT.title}>
      <FigureChips value={figures} names={HOSTS_TEXT.figures} onChange={onFigures} />
      <RecordList
        label={TEXT.list}
        columns={columnsOf(sort, setSort)}
        query={query}
        rowId={({ procname }) => procname}
        empty={figures === undefined ? TEXT.empty : HOSTS_TEXT.noMatchingProgram}
        height={listHeight(query.data?.pages)}
      />
    </Section>
  );
}
