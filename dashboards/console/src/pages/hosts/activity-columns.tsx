import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { PhoneLine } from '../../parts/phone-line.tsx';
import type { Column } from '../../parts/record-list.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { OpenCount } from './open-count.tsx';

/** What events and detections say of a host, or of a program on one. */
interface Activity {
  readonly lastSeen: string;
  readonly events: number;
  readonly crashes: number;
  readonly detections: number;
  readonly openDetections: number;
}

/** The name, and on a phone when it was last heard of. */
export function NameCell({ lastSeen, children }: Pick<Activity, 'lastSeen'> & { readonly children: ReactNode }) {
  return (
    <>
      {/* Dots where it is too long, which a cell of two lines does not put there by itself. */}
      <Text size="sm" truncate lh={1.25}>
        {children}
      </Text>
      <PhoneLine>
        <TimeText at={lastSeen} ago />
      </PhoneLine>
    </>
  );
}

export const ACTIVITY_COLUMNS: readonly Column<Activity>[] = [
  {
    id: 'lastSeen',
    header: 'Last event',
    width: '8rem',
    wideOnly: true,
    cell: ({ lastSeen }) => <TimeText at={lastSeen} ago />,
  },
  { id: 'events', header: 'Events', width: '6rem', wideOnly: true, cell: ({ events }) => events.toLocaleString() },
  { id: 'crashes', header: 'Crashes', width: '6rem', wideOnly: true, cell: ({ crashes }) => crashes.toLocaleString() },
];

export const OPEN_DETECTIONS: Column<Activity> = {
  id: 'detections',
  header: 'Open detections',
  width: '8rem',
  cell: (row) => <OpenCount of={row} />,
};
