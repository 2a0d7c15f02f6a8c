import type { Answer } from '../../api/client.ts';
import { type Series, TimeSeries } from '../../parts/time-series.tsx';
import { Breakdown } from './breakdown.tsx';
import { countedText, countText, millisText } from './quantities.ts';

type Queue = Answer<'get', '/api/dashboard/queue'>;

const SERIES: readonly Series<Queue['series'][number]>[] = [
  { label: 'Asked for', value: ({ started }) => started },
  { label: 'Done', value: ({ done }) => done },
  { label: 'Given up', value: ({ failed }) => failed },
];

export function QueuePanel({ found: { queues, series } }: { readonly found: Queue }) {
  const waiting = queues.reduce((sum, { ready }) => sum + ready, 0);
  const summary = `Waiting for a worker now: ${countedText(waiting, 'job')}.`;
  return (
    <TimeSeries title="Background work" summary={summary} rows={series} series={SERIES} format={countText}>
      <Breakdown
        label="Queues now"
        rows={queues}
        rowId={({ queue }) => queue}
        columns={[
          ['Queue', ({ queue }) => queue],
          [
            'Ready',
            ({ ready, oldestReadyMs }) => (ready === 0 ? 0 : `${ready}, the oldest for ${millisText(oldestReadyMs)}`),
          ],
          ['Scheduled', ({ scheduled }) => scheduled],
          ['Running', ({ running }) => running],
          ['Done, 24 h', ({ done }) => done],
          ['Given up', ({ failed }) => failed],
        ]}
        empty="No work was ever asked for."
      />
    </TimeSeries>
  );
}
