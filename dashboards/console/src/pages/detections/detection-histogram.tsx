import { Loader, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../api/client.ts';
import { CountHistogram } from '../../parts/count-histogram.tsx';
import { counted } from '../../parts/counted.ts';
import { defined } from '../../parts/defined.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { countedEnds, rangeText } from '../../parts/time-range.ts';
import type { DetectionFilters } from './filters.ts';

const OTHERWISE = '30d';

/** How many detections there were over time, in the range of the list or, of all time, the last days of it. */
export function DetectionHistogram({
  filters: { range, from, to, ...filters },
  openedAt,
  listFailed,
  onRange,
}: {
  readonly filters: DetectionFilters;
  readonly openedAt: number;
  /** The list tells what is wrong; not twice. */
  readonly listFailed: boolean;
  readonly onRange: (from: string, to: string) => void;
}) {
  const query = { ...defined(filters), ...countedEnds({ range, from, to }, OTHERWISE, openedAt) };
  const { data, error, refetch } = useQuery({
    queryKey: ['detections-summary', query],
    queryFn: ({ signal }) => call('get', '/api/detections/summary', { query, signal }),
    placeholderData: keepPreviousData,
  });
  const counts = useMemo(
    () =>
      data?.series.map(({ at, bySeverity }) => ({
        at,
        count: Object.values(bySeverity).reduce((sum, count) => sum + count, 0),
      })),
    [data],
  );
  if (error !== null) return listFailed ? null : <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined || counts === undefined) return <Loader size="sm" aria-label="Counting" />;
  const shown =
    range === undefined && from === undefined && to === undefined
      ? ({ range: OTHERWISE } as const)
      : { range, from, to };
  return (
    <>
      <Text size="sm" c="dimmed" mb={2}>
        {counted(data.detections, 'detection')} in {rangeText(shown)}: {data.open.toLocaleString()} open,{' '}
        {data.silenced.toLocaleString()} silenced
      </Text>
      <CountHistogram counts={counts} stepSeconds={data.stepSeconds} noun="detection" height={88} onSelect={onRange} />
    </>
  );
}
