import { Loader, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { SEVERITIES } from '#schemas/detection-terms.ts';
import { call } from '../../api/client.ts';
import { CountHistogram } from '../../parts/charts/count-histogram.tsx';
import { defined } from '../../parts/defined.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { countedEnds, isAllTime, RANGES, rangeText } from '../../parts/time/time-range.ts';
import { DARK_COLORS, LIGHT_COLORS } from '../../parts/tokens.ts';
import type { DetectionFilters } from './filters.ts';
import { DETECTIONS_TEXT } from './text.ts';

const TEXT = DETECTIONS_TEXT.histogram;
/** Time range of the chart if the list has no time limit. */
const DEFAULT_RANGE = '30d';
/** The highest severity is at the base line, where bars can be compared. */
const SEVERITY_PARTS = SEVERITIES.toReversed().map((name) => ({
  name,
  label: PARTS_TEXT.severities[name],
  color: { light: LIGHT_COLORS[`--tl-${name}-mark`], dark: DARK_COLORS[`--tl-${name}-mark`] },
}));

/** Chart of detections over time: in the time range of the list, or in the last 30 days. */
export function DetectionHistogram({
  filters: { range, from, to, ...filters },
  openedAt,
  listFailed,
  onRange,
}: {
  readonly filters: DetectionFilters;
  readonly openedAt: number;
  /** True if the list shows the error, which the chart then does not repeat. */
  readonly listFailed: boolean;
  readonly onRange: (from: string, to: string) => void;
}) {
  const query = { ...defined(filters), ...countedEnds({ range, from, to }, DEFAULT_RANGE, openedAt) };
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
        parts: bySeverity,
      })),
    [data],
  );
  if (error !== null) return listFailed ? null : <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined || counts === undefined) return <Loader size="sm" aria-label={TEXT.loading} />;
  const total = isAllTime({ range, from, to })
    ? TEXT.totalOfChart(data.detections, RANGES[DEFAULT_RANGE])
    : TEXT.total(data.detections, rangeText({ range, from, to }));
  return (
    <div title={TEXT.zoomHint}>
      <Text size="sm" c="dimmed" mb={2}>
        {[total, TEXT.open(data.open), TEXT.silenced(data.silenced)].join(' · ')}
      </Text>
      <CountHistogram
        counts={counts}
        stepSeconds={data.stepSeconds}
        label={TEXT.label}
        countText={TEXT.count}
        parts={SEVERITY_PARTS}
        height={96}
        onSelect={onRange}
      />
    </div>
  );
}
