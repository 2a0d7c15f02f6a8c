import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, call } from '../../api/client.ts';
import { counted } from '../../parts/counted.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { countedEnds, rangeText, type TimeRange } from '../../parts/time-range.ts';
import { type Series, TimeSeries } from '../../parts/time-series.tsx';

type Bucket = Answer<'get', '/api/events/summary'>['series'][number];

const SERIES: readonly Series<Bucket>[] = [
  // Events, not crashes: of one crash the kernel may print a trap line and a dump.
  { label: 'Trap lines', value: ({ byType }) => byType.LinuxKernelTrap ?? 0 },
  { label: 'Fatal signals', value: ({ byType }) => byType.LinuxFatalSignal ?? 0 },
  { label: 'Messages the kernel suppressed', value: ({ byType }) => byType.LinuxSuppressedCallback ?? 0 },
  {
    label: 'Other events',
    value: ({ byType: { RegisterProbe = 0, ConfigMismatch = 0 } }) => RegisterProbe + ConfigMismatch,
  },
];

/** Events of the host over time, as a plot or a table. */
export function HostEvents({ hostname, time }: { readonly hostname: string; readonly time: TimeRange }) {
  const counts = useQuery({
    queryKey: ['host-events', hostname, time],
    queryFn: ({ signal }) =>
      call('get', '/api/events/summary', { signal, query: { ...countedEnds(time, '30d', Date.now()), hostname } }),
  });
  if (counts.isPending) return <Loader size="sm" aria-label="Counting its events" />;
  if (counts.isError) return <FailureNotice error={counts.error} onRetry={() => void counts.refetch()} />;
  const { events, series } = counts.data;
  const within = time.range === undefined && time.from === undefined ? 'the last 30 days' : rangeText(time);
  const summary = `${counted(events, 'event')}, ${within}.`;
  return <TimeSeries title="Events over time" description={summary} summary={summary} rows={series} series={SERIES} />;
}
