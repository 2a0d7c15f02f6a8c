import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ActivityFigure } from '#schemas/api/activity-figures.ts';
import type { ActivitySort } from '#schemas/api/activity-sort.ts';
import { numberText } from '../../language/numbers.ts';
import type { Column } from '../../parts/list/record-list.tsx';
import { PhoneLine } from '../../parts/phone-line.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import type { RowValue } from '../../parts/values/row-values.tsx';
import { ValueActions } from '../../parts/values/value-actions.tsx';
import { timeValue } from '../../parts/values/value-columns.tsx';
import type { FilteredList } from '../../parts/values/value-subject.ts';
import { OpenCount } from './open-count.tsx';
import { RiskLevel } from './risk-level.tsx';
import { HOSTS_TEXT } from './text.ts';

const TEXT = HOSTS_TEXT.columns;

/** Activity of a host, or of a program on a host. */
interface Activity {
  readonly hostname: string | null;
  readonly procname?: string;
  readonly lastSeen: string;
  readonly events: number;
  readonly crashes: number;
  readonly detections: number;
  readonly openDetections: number;
  readonly risk: Parameters<typeof RiskLevel>[0]['risk'];
}

/** The name, on a phone with the time of the last event. */
export function NameCell({ lastSeen, children }: Pick<Activity, 'lastSeen'> & { readonly children: ReactNode }) {
  return (
    <>
      <Text size="sm" lh={1.25} component="div">
        {children}
      </Text>
      <PhoneLine>
        <TimeText at={lastSeen} ago />
      </PhoneLine>
    </>
  );
}

/** Returns the list to which filters apply: hosts, or the programs of a host. */
const listOf = ({ procname }: Pick<Activity, 'procname'>): FilteredList =>
  procname === undefined ? '/hosts' : '/hosts/$hostname';

const subjectOf = ({ hostname, procname }: Activity) => ({ hostname, procname });

/** A number of a host or program with its menu. */
function figure(row: Activity, name: ActivityFigure, value: number, content: ReactNode = numberText(value)): ReactNode {
  return (
    <ValueActions
      name={name}
      by="figure"
      value={value}
      shown={() => numberText(value)}
      list={listOf(row)}
      subject={subjectOf(row)}
      inRow
    >
      {content}
    </ValueActions>
  );
}

/** The time of the latest event. Its menu sets the time range of the list of events. */
const lastEventValue = ({ lastSeen }: Activity) => timeValue('time', lastSeen, { by: 'range', list: '/events' });

/** Returns the same values for the row menu on a phone. */
export function activityValues(row: Activity): readonly RowValue[] {
  const { risk, events, crashes, openDetections } = row;
  const count = (name: ActivityFigure, label: string, value: number) =>
    ({ name, label, value, shown: numberText(value), by: 'figure', list: listOf(row) }) as const;
  return [
    { label: TEXT.lastEvent, ...lastEventValue(row) },
    count('risk', TEXT.risk, risk.normalised),
    count('events', TEXT.events, events),
    count('crashes', TEXT.crashes, crashes),
    count('openDetections', TEXT.openDetections, openDetections),
  ];
}

/** Returns the columns of activity in a list that is sorted by one of them. */
export function activityColumns(
  sorted: ActivitySort,
  onSort: (sort: ActivitySort) => void,
): readonly Column<Activity>[] {
  const sortBy = (sort: ActivitySort) => ({ active: sort === sorted, onSort: () => onSort(sort) });
  return [
    {
      id: 'lastSeen',
      header: TEXT.lastEvent,
      width: '8rem',
      wideOnly: true,
      cell: (row) => (
        <ValueActions {...lastEventValue(row)} subject={subjectOf(row)} inRow>
          <TimeText at={row.lastSeen} ago />
        </ValueActions>
      ),
      sort: sortBy('lastSeen'),
    },
    {
      id: 'risk',
      header: TEXT.risk,
      width: '8rem',
      wideOnly: true,
      cell: (row) => figure(row, 'risk', row.risk.normalised, <RiskLevel risk={row.risk} />),
      sort: sortBy('risk'),
    },
    {
      id: 'events',
      header: TEXT.events,
      width: '6rem',
      align: 'end',
      wideOnly: true,
      cell: (row) => figure(row, 'events', row.events),
    },
    {
      id: 'crashes',
      header: TEXT.crashes,
      width: '6rem',
      align: 'end',
      wideOnly: true,
      cell: (row) => figure(row, 'crashes', row.crashes),
    },
  ];
}

export const OPEN_DETECTIONS: Column<Activity> = {
  id: 'detections',
  header: TEXT.openDetections,
  width: '8rem',
  cell: (row) => figure(row, 'openDetections', row.openDetections, <OpenCount of={row} />),
};
