import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ActivitySort } from '#schemas/api/activity-sort.ts';
import { numberText } from '../../language/numbers.ts';
import { PhoneLine } from '../../parts/phone-line.tsx';
import type { Column } from '../../parts/record-list.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { OpenCount } from './open-count.tsx';
import { RiskLevel } from './risk-level.tsx';
import { HOSTS_TEXT } from './text.ts';

const TEXT = HOSTS_TEXT.columns;

/** Activity of a host, or of a program on a host. */
interface Activity {
  readonly lastSeen: string;
  readonly events: number;
  readonly crashes: number;
  readonly detections: number;
  readonly openDetections: number;
  readonly risk: Parameters<typeof RiskLevel>[0]['risk'];
}

/** The name; on a phone with the time of the last event. */
export function NameCell({ lastSeen, children }: Pick<Activity, 'lastSeen'> & { readonly children: ReactNode }) {
  return (
    <>
      {/* Cells with two lines do not truncate long text themselves. */}
      <Text size="sm" truncate lh={1.25}>
        {children}
      </Text>
      <PhoneLine>
        <TimeText at={lastSeen} ago />
      </PhoneLine>
    </>
  );
}

/** Columns of activity in a list that is sorted by one of them. */
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
      cell: ({ lastSeen }) => <TimeText at={lastSeen} ago />,
      sort: sortBy('lastSeen'),
    },
    {
      id: 'risk',
      header: TEXT.risk,
      width: '8rem',
      wideOnly: true,
      cell: ({ risk }) => <RiskLevel risk={risk} />,
      sort: sortBy('risk'),
    },
    {
      id: 'events',
      header: TEXT.events,
      width: '6rem',
      align: 'end',
      wideOnly: true,
      cell: ({ events }) => numberText(events),
    },
    {
      id: 'crashes',
      header: TEXT.crashes,
      width: '6rem',
      align: 'end',
      wideOnly: true,
      cell: ({ crashes }) => numberText(crashes),
    },
  ];
}

export const OPEN_DETECTIONS: Column<Activity> = {
  id: 'detections',
  header: TEXT.openDetections,
  width: '8rem',
  cell: (row) => <OpenCount of={row} />,
};
