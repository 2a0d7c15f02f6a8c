import { Stack } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { type Series, TimeSeries } from '../../parts/time-series.tsx';
import { countText } from './quantities.ts';

type Executions = Answer<'get', '/api/dashboard/executions'>;
type Bucket = Executions['kinds'][number]['series'][number];

const SERIES: readonly Series<Bucket>[] = [
  { label: 'Accepted', value: ({ accepted }) => accepted },
  { label: 'Completed', value: ({ completed }) => completed },
  { label: 'Failed', value: ({ failed }) => failed },
  { label: 'Cancelled', value: ({ cancelled }) => cancelled },
];
const TITLES = { workflow: 'Runs of workflows', agent: 'Runs of agents' } as const;

export function ExecutionsPanel({ found: { kinds } }: { readonly found: Executions }) {
  return (
    <Stack gap="md">
      {kinds.map(({ kind, series }) => {
        const sum = (of: 'accepted' | 'failed') => series.reduce((all, bucket) => all + bucket[of], 0);
        const summary = `${countText(sum('accepted'))} accepted, ${countText(sum('failed'))} failed.`;
        return (
          <TimeSeries
            key={kind}
            title={TITLES[kind]}
            summary={summary}
            rows={series}
            series={SERIES}
            format={countText}
          />
        );
      })}
    </Stack>
  );
}
