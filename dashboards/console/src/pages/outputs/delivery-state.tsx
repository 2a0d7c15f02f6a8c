import { Loader } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import type { Deliveries } from './output.ts';

const STATES: Readonly<
  Record<Deliveries['state'], { readonly text: string; readonly tone: 'good' | 'neutral' | 'warning' | 'bad' }>
> = {
  idle: { text: 'all delivered', tone: 'good' },
  delivering: { text: 'delivering', tone: 'good' },
  retrying: { text: 'not taken, retrying', tone: 'bad' },
  paused: { text: 'paused', tone: 'warning' },
};

/** How deliveries of an output go; looked at again now and then while it is shown. */
export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['outputs', id, 'deliveries'],
    queryFn: ({ signal }) =>
      call('get', '/api/outputs/{id}/deliveries', { signal, path: { id }, query: { limit: '1' } }),
    refetchInterval: 20_000,
  });

export function DeliveryStateBadge({
  state,
  waiting,
}: {
  readonly state: Deliveries['state'];
  readonly waiting: number;
}) {
  const { text, tone } = STATES[state];
  const said = state === 'idle' && waiting > 0 ? 'about to deliver' : text;
  return <StatusBadge text={said} tone={tone} />;
}

/** For a row of the list. */
export function DeliveryState({ id }: { readonly id: string }) {
  const { data, isError } = useQuery({ ...deliveriesQuery(id), refetchInterval: 60_000 });
  if (isError) return 'unknown';
  if (data === undefined) return <Loader size="xs" aria-label="Loading how deliveries go" />;
  return (
    <>
      <DeliveryStateBadge state={data.state} waiting={data.lag.messages} />{' '}
      {data.lag.messages > 0 && `${data.lag.messages.toLocaleString()} wait`}
    </>
  );
}
