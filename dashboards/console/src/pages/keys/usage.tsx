import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, call } from '../../api/client.ts';
import { type Series, TimeSeries } from '../../parts/charts/time-series.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { KEYS_TEXT } from './text.ts';

const TEXT = KEYS_TEXT.usage;

type Hour = Answer<'get', '/api/stats/requests'>['hours'][number] & { readonly at: string };

const SERIES: readonly Series<Hour>[] = [
  { label: TEXT.requests, value: ({ requests }) => requests },
  { label: TEXT.failed, value: ({ errors }) => errors },
];

/** Requests of the user in the last 24 hours, by hour. */
export function Usage() {
  const usage = useQuery({
    queryKey: ['usage'],
    queryFn: async ({ signal }) => {
      const { hours, total, errors } = await call('get', '/api/stats/requests', { signal });
      return { rows: hours.map((hour): Hour => ({ ...hour, at: hour.hour })), total, errors };
    },
  });
  if (usage.isPending) return <Loader size="sm" aria-label={TEXT.loading} />;
  if (usage.isError) return <FailureNotice error={usage.error} onRetry={() => void usage.refetch()} />;
  const { rows, total, errors } = usage.data;
  return (
    <TimeSeries
      title={TEXT.title}
      description={TEXT.description(total, errors)}
      summary={TEXT.summary(total, errors)}
      rows={rows}
      series={SERIES}
    />
  );
}
