import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, call } from '../../api/client.ts';
import { counted } from '../../parts/counted.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { type Series, TimeSeries } from '../../parts/time-series.tsx';

type Hour = Answer<'get', '/api/stats/requests'>['hours'][number] & { readonly at: string };

const SERIES: readonly Series<Hour>[] = [
  { label: 'Requests', value: ({ requests }) => requests },
  { label: 'Refused or failed', value: ({ errors }) => errors },
];

/** Requests of the person in the last 24 hours, by hour. */
export function Usage() {
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: async ({ signal }) => {
      const { hours, total, errors } = await call('get', '/api/stats/requests', { signal });
      return { rows: hours.map((hour): Hour => ({ ...hour, at: hour.hour })), total, errors };
    },
  });
  if (usage.isPending) return <Loader size="sm" aria-label="Loading your usage" />;
  if (usage.isError) return <FailureNotice error={usage.error} onRetry={() => void usage.refetch()} />;
  const { rows, total, errors } = usage.data;
  return (
    <TimeSeries
      title="Your requests in the last 24 hours"
      description={`${counted(total, 'request')} in the last 24 hours, ${errors} of them refused or failed.`}
      summary={`${counted(total, 'request')} by all your sessions and keys, ${errors} of them refused or failed.`}
      rows={rows}
      series={SERIES}
    />
  );
}
