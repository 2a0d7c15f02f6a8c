import { Stack } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { type Series, TimeSeries } from '../../parts/time-series.tsx';
import { Breakdown } from './breakdown.tsx';
import { countedText, countText, millisText } from './quantities.ts';

type Requests = Answer<'get', '/api/dashboard/requests'>;
type Bucket = Requests['series'][number];

const COUNTS: readonly Series<Bucket>[] = [
  { label: 'Requests', value: ({ requests }) => requests },
  { label: '4xx', value: ({ clientErrors }) => clientErrors },
  { label: '5xx', value: ({ serverErrors }) => serverErrors },
];
const DURATIONS: readonly Series<Bucket>[] = [
  { label: 'Half within', value: ({ p50Ms }) => p50Ms },
  { label: '95 % within', value: ({ p95Ms }) => p95Ms },
  { label: '99 % within', value: ({ p99Ms }) => p99Ms },
];

export function RequestsPanel({ found: { series, total, errors, routes } }: { readonly found: Requests }) {
  const summary = `${countedText(total, 'request')}, ${countText(errors)} of them refused or failed.`;
  return (
    <Stack gap="md">
      <TimeSeries title="Requests" summary={summary} rows={series} series={COUNTS} format={countText}>
        <Breakdown
          label="Routes that were asked most"
          rows={routes}
          rowId={({ method, route }) => `${method} ${route}`}
          columns={[
            ['Route', ({ method, route }) => `${method} ${route}`],
            ['Requests', ({ requests }) => requests],
            ['Errors', ({ errors: failed }) => failed],
            ['95 % within', ({ p95Ms }) => millisText(p95Ms)],
          ]}
          empty="No requests in this time."
        />
      </TimeSeries>
      <TimeSeries
        title="How long requests took"
        description={`How long ${countedText(total, 'request')} took, over time.`}
        rows={series}
        series={DURATIONS}
        format={millisText}
      />
    </Stack>
  );
}
