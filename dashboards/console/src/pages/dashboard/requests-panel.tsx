import { Stack } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { type Series, TimeSeries } from '../../parts/charts/time-series.tsx';
import { Breakdown } from './breakdown.tsx';
import { countText, millisText } from './quantities.ts';
import { DASHBOARD_TEXT } from './text.ts';

const TEXT = DASHBOARD_TEXT.requests;

type Requests = Answer<'get', '/api/dashboard/requests'>;
type Bucket = Requests['series'][number];

const COUNTS: readonly Series<Bucket>[] = [
  { label: TEXT.series.requests, value: ({ requests }) => requests },
  { label: TEXT.series.clientErrors, value: ({ clientErrors }) => clientErrors },
  { label: TEXT.series.serverErrors, value: ({ serverErrors }) => serverErrors },
];
const DURATIONS: readonly Series<Bucket>[] = [
  { label: TEXT.percentiles.p50, value: ({ p50Ms }) => p50Ms },
  { label: TEXT.percentiles.p95, value: ({ p95Ms }) => p95Ms },
  { label: TEXT.percentiles.p99, value: ({ p99Ms }) => p99Ms },
];

export function RequestsPanel({ found: { series, total, errors, routes } }: { readonly found: Requests }) {
  const summary = TEXT.summary(total, errors);
  return (
    <Stack gap="md">
      <TimeSeries
        title={DASHBOARD_TEXT.panels.requests}
        summary={summary}
        rows={series}
        series={COUNTS}
        format={countText}
      >
        <Breakdown
          label={TEXT.routes}
          rows={routes}
          rowId={({ method, route }) => `${method} ${route}`}
          columns={[
            [TEXT.route, ({ method, route }) => `${method} ${route}`],
            [TEXT.requests, ({ requests }) => requests],
            [TEXT.errors, ({ errors: failed }) => failed],
            [TEXT.percentiles.p95, ({ p95Ms }) => millisText(p95Ms)],
          ]}
          empty={TEXT.empty}
        />
      </TimeSeries>
      <TimeSeries
        title={TEXT.latency}
        description={TEXT.latencyDescription(total)}
        rows={series}
        series={DURATIONS}
        format={millisText}
      />
    </Stack>
  );
}
