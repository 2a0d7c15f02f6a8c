import type { Answer } from '../../api/client.ts';
import { type Series, TimeSeries } from '../../parts/charts/time-series.tsx';
import { Breakdown } from './breakdown.tsx';
import { countText } from './quantities.ts';
import { DASHBOARD_TEXT } from './text.ts';

const TEXT = DASHBOARD_TEXT.queue;

type Queue = Answer<'get', '/api/dashboard/queue'>;

const SERIES: readonly Series<Queue['series'][number]>[] = [
  { label: TEXT.series.started, value: ({ started }) => started },
  { label: TEXT.series.done, value: ({ done }) => done },
  { label: TEXT.series.failed, value: ({ failed }) => failed },
];

export function QueuePanel({ found: { queues, series } }: { readonly found: Queue }) {
  const summary = TEXT.summary(queues.reduce((sum, { ready }) => sum + ready, 0));
  return (
    <TimeSeries title={DASHBOARD_TEXT.panels.queue} summary={summary} rows={series} series={SERIES} format={countText}>
      <Breakdown
        label={TEXT.list}
        rows={queues}
        rowId={({ queue }) => queue}
        columns={[
          [TEXT.queue, ({ queue }) => queue],
          [TEXT.ready, ({ ready, oldestReadyMs }) => (ready === 0 ? 0 : TEXT.oldest(ready, oldestReadyMs))],
          [TEXT.scheduled, ({ scheduled }) => scheduled],
          [TEXT.running, ({ running }) => running],
          [TEXT.done, ({ done }) => done],
          [TEXT.failed, ({ failed }) => failed],
        ]}
        empty={TEXT.empty}
      />
    </TimeSeries>
  );
}
