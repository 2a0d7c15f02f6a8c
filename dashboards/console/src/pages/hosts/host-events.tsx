import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, call } from '../../api/client.ts';
import { type Series, TimeSeries } from '../../parts/charts/time-series.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { countedEnds, rangeText, type TimeRange } from '../../parts/time/time-range.ts';
import { HOSTS_TEXT } from './text.ts';

const TEXT = HOSTS_TEXT.events;

/** Time range of the plot if none is selected. */
const DEFAULT_RANGE = '30d';

type Bucket = Answer<'get', '/api/events/summary'>['series'][number];

const SERIES: readonly Series<Bucket>[] = [
  // Counts events, not crashes: the kernel can log a trap line and a dump of the same crash.
  { label: TEXT.series.traps, value: ({ byType }) => byType.LinuxKernelTrap ?? 0 },
  { label: TEXT.series.signals, value: ({ byType }) => byType.LinuxFatalSignal ?? 0 },
  { label: TEXT.series.suppressed, value: ({ byType }) => byType.LinuxSuppressedCallback ?? 0 },
  {
    label: TEXT.series.others,
    value: ({ byType: { RegisterProbe = 0, ConfigMismatch = 0 } }) => RegisterProbe + ConfigMismatch,
  },
];

/** Events of the host over time, as a plot or a table. */
export function HostEvents({ hostname, time }: { readonly hostname: string; readonly time: TimeRange }) {
  const counts = useQuery({
    queryKey: ['host-events', hostname, time],
    queryFn: ({ signal }) =>
      call('get', '/api/events/summary', {
        signal,
        query: { ...countedEnds(time, DEFAULT_RANGE, Date.now()), hostname },
      }),
  });
  if (counts.isPending) return <Loader size="sm" aria-label={TEXT.loading} />;
  if (counts.isError) return <FailureNotice error={counts.error} onRetry={() => void counts.refetch()} />;
  const { events, series } = counts.data;
  const occurred = SERIES.filter(({ value }) => series.some((bucket) => (value(bucket) ?? 0) > 0));
  const unlimited = time.range === undefined && time.from === undefined && time.to === undefined;
  const summary = TEXT.summary(events, rangeText(unlimited ? { range: DEFAULT_RANGE } : time));
  return <TimeSeries title={TEXT.title} description={summary} summary={summary} rows={series} series={occurred} />;
}
