import { Stack } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { type Series, TimeSeries } from '../../parts/charts/time-series.tsx';
import { countText } from './quantities.ts';
import { DASHBOARD_TEXT } from './text.ts';

const TEXT = DASHBOARD_TEXT.executions;

type Executions = Answer<'get', '/api/dashboard/executions'>;
type Bucket = Executions['kinds'][number]['series'][number];

const SERIES: readonly Series<Bucket>[] = [
  { label: TEXT.series.accepted, value: ({ accepted }) => accepted },
  { label: TEXT.series.completed, value: ({ completed }) => completed },
  { label: TEXT.series.failed, value: ({ failed }) => failed },
  { label: TEXT.series.cancelled, value: ({ cancelled }) => cancelled },
];

export function ExecutionsPanel({ found: { kinds } }: { readonly found: Executions }) {
  return (
    <Stack gap="md">
      {kinds.map(({ kind, series }) => {
        const sum = (of: 'accepted' | 'failed') => series.reduce((all, bucket) => all + bucket[of], 0);
        return (
          <TimeSeries
            key={kind}
            title={TEXT.titles[kind]}
            summary={TEXT.summary(sum('accepted'), sum('failed'))}
            rows={series}
            series={SERIES}
            format={countText}
          />
        );
      })}
    </Stack>
  );
}
