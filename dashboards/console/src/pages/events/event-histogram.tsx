import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { CountHistogram, stepText } from '../../parts/charts/count-histogram.tsx';
import { isAllTime, RANGES, rangeText } from '../../parts/time/time-range.ts';
import { COUNTED_OTHERWISE, type EventFilters } from './filters.ts';
import { EVENTS_TEXT } from './text.ts';
import type { EventSummary } from './use-event-summary.ts';

const TEXT = EVENTS_TEXT.histogram;

/** Chart of events over time. Dragging selects the time range of the list. Keyboard users have the time inputs. */
export function EventHistogram({
  summary,
  filters: { range, from, to },
  onRange,
}: {
  readonly summary: EventSummary;
  readonly filters: EventFilters;
  readonly onRange: (from: string, to: string) => void;
}) {
  const { series, stepSeconds, events, crashes } = summary;
  const counts = useMemo(
    () => series.map(({ at, byType }) => ({ at, count: Object.values(byType).reduce((sum, count) => sum + count, 0) })),
    [series],
  );
  const step = stepText(stepSeconds);
  return (
    <div title={TEXT.zoomHint} className="tl-above-list">
      <Text size="sm" c="dimmed" mb={2} role="status">
        {isAllTime({ range, from, to })
          ? TEXT.totalOfChart(events, RANGES[COUNTED_OTHERWISE], step)
          : TEXT.total(events, rangeText({ range, from, to }), step)}
        {crashes !== null && TEXT.crashes(crashes)}
      </Text>
      <CountHistogram
        counts={counts}
        stepSeconds={stepSeconds}
        label={TEXT.label}
        countText={TEXT.count}
        onSelect={onRange}
      />
    </div>
  );
}
