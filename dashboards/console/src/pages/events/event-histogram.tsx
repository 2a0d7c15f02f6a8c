import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { CountHistogram, stepText } from '../../parts/count-histogram.tsx';
import { counted } from '../../parts/counted.ts';
import type { EventSummary } from './use-event-summary.ts';

/** How many events there were over time; a range drawn in it becomes that of the list. */
export function EventHistogram({
  summary,
  within,
  onRange,
}: {
  readonly summary: EventSummary;
  /** The range, in words. */
  readonly within: string;
  readonly onRange: (from: string, to: string) => void;
}) {
  const { series, stepSeconds, events } = summary;
  const counts = useMemo(
    () => series.map(({ at, byType }) => ({ at, count: Object.values(byType).reduce((sum, count) => sum + count, 0) })),
    [series],
  );
  return (
    <>
      <Text size="sm" c="dimmed" mb={2} role="status">
        {counted(events, 'event')} in {within}, by {stepText(stepSeconds)}. Draw in the plot to choose a time, or set
        From and To.
      </Text>
      <CountHistogram counts={counts} stepSeconds={stepSeconds} noun="event" onSelect={onRange} />
    </>
  );
}
