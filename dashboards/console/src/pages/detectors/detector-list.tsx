import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import { numberText } from '../../language/numbers.ts';
import { durationText } from '../../parts/execution/duration.ts';
import { listHeight } from '../../parts/list/list-height.ts';
import { RecordList } from '../../parts/list/record-list.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { timeValue, valueColumns } from '../../parts/values/value-columns.tsx';
import { visible } from '../../parts/visible.ts';
import { type Detector, lostBy, settingsText, stateOfDetector } from './detector.ts';
import { DetectorDetails } from './detector-details.tsx';
import { DetectorStateBadge } from './detector-state-badge.tsx';
import { DETECTORS_TEXT } from './text.ts';

const TEXT = DETECTORS_TEXT.columns;
/** Refresh interval. Detectors report once per minute. */
const REFRESH_MS = 30_000;
const MAX_ROWS = 14;

const COLUMNS = valueColumns<Detector>({ titleOf: ({ hostname }) => hostname }, [
  {
    id: 'hostname',
    header: TEXT.host,
    width: 'minmax(8rem, 2fr)',
    valuesOf: ({ hostname }) => ({ name: 'hostname', value: hostname }),
    phoneLine: (detector) =>
      DETECTORS_TEXT.phone(visible(detector.version ?? DETECTORS_TEXT.none), lagOf(detector), lostBy(detector)),
  },
  {
    id: 'state',
    header: TEXT.state,
    width: '8.5rem',
    valuesOf: (detector) => {
      const state = stateOfDetector(detector);
      return { name: 'state', value: state, shown: DETECTORS_TEXT.states[state] };
    },
    cell: (detector) => <DetectorStateBadge of={detector} />,
  },
  {
    id: 'lastSeenAt',
    header: TEXT.lastReport,
    width: '8rem',
    wideOnly: true,
    valuesOf: ({ hostname, lastSeenAt }) => ({
      ...timeValue('lastSeenAt', lastSeenAt),
      by: 'moment',
      subject: { hostname },
    }),
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? DETECTORS_TEXT.never : <TimeText at={lastSeenAt} ago />),
  },
  {
    id: 'lag',
    header: TEXT.lag,
    width: '6rem',
    wideOnly: true,
    valuesOf: (detector) => ({ name: 'lag', value: detector.lagMs, shown: lagOf(detector) }),
    cell: lagOf,
  },
  {
    id: 'lost',
    header: TEXT.lost,
    width: '5rem',
    wideOnly: true,
    valuesOf: (detector) => ({ name: 'lost', value: detector.lostRecords === null ? null : lostBy(detector) }),
    cell: lostText,
  },
  {
    id: 'version',
    header: TEXT.version,
    width: '6rem',
    wideOnly: true,
    valuesOf: ({ version }) => ({ name: 'version', value: version }),
    cell: ({ version }) => visible(version ?? DETECTORS_TEXT.none),
  },
  {
    id: 'settings',
    header: TEXT.settings,
    width: 'minmax(8rem, 1fr)',
    wideOnly: true,
    valuesOf: (detector) => ({ name: 'settings', value: settingsText(detector) }),
    cell: (detector) => <Settings of={detector} />,
  },
]);

function Settings({ of }: { readonly of: Detector }) {
  const text = visible(settingsText(of));
  return text === '' ? (
    DETECTORS_TEXT.none
  ) : (
    <span className="tl-mono" title={text}>
      {text}
    </span>
  );
}

function lagOf({ lagMs }: Detector): string {
  return lagMs === null ? DETECTORS_TEXT.none : lagMs === 0 ? '0 s' : durationText(lagMs);
}

function lostText(detector: Detector): string {
  return detector.lostRecords === null ? DETECTORS_TEXT.none : numberText(lostBy(detector));
}

/** All enrolled hosts, silent ones first. Enter or a click opens the details of a host. */
export function DetectorList() {
  const [openedName, setOpenedName] = useState<string>();
  // The API returns all detectors at once.
  const query = useInfiniteQuery({
    ...cursorList<Detector>(['detectors'], async (_cursor, signal) => ({
      ...(await call('get', '/api/detectors', { signal })),
      nextCursor: null,
    })),
    refetchInterval: REFRESH_MS,
  });
  const detectors = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const silent = detectors.filter((detector) => detector.silent).length;
  return (
    <>
      {silent > 0 && (
        <Text size="sm" fw={600} mb="xs" role="status">
          {DETECTORS_TEXT.silent(silent, detectors.length)}
        </Text>
      )}
      <RecordList
        label={DETECTORS_TEXT.list}
        columns={COLUMNS}
        query={query}
        rowId={({ hostname }) => hostname}
        onOpen={({ hostname }) => setOpenedName(hostname)}
        empty={DETECTORS_TEXT.empty}
        height={listHeight(query.data?.pages, MAX_ROWS)}
      />
      <DetectorDetails
        detector={detectors.find(({ hostname }) => hostname === openedName)}
        onClose={() => setOpenedName(undefined)}
        onRevoke={async (hostname) => {
          await call('delete', '/api/admin/detectors/{hostname}', { path: { hostname } });
          await query.refetch();
        }}
      />
    </>
  );
}
