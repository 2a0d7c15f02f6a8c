import { Loader } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { deliveryWords } from './delivery-words.ts';
import type { Deliveries } from './output.ts';
import { OUTPUT_TEXT } from './text.ts';

/** The deliveries of an output, refreshed while they are shown. */
export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['outputs', id, 'deliveries'],
    queryFn: ({ signal }) => call('get', '/api/outputs/{id}/deliveries', { signal, path: { id }, query: { limit: 1 } }),
    refetchInterval: 20_000,
  });

export function DeliveryStateBadge({ of }: { readonly of: Deliveries }) {
  return <StatusBadge {...deliveryWords(of)} />;
}

/** The state of an output in a row of the list. */
export function DeliveryState({ id }: { readonly id: string }) {
  const { data, isError } = useQuery({ ...deliveriesQuery(id), refetchInterval: 60_000 });
  if (isError) return OUTPUT_TEXT.unknownState;
  if (data === undefined) return <Loader size="xs" aria-label={OUTPUT_TEXT.facts.loading} />;
  return (
    <>
      <DeliveryStateBadge of={data} />
      {data.lag.messages > 0 && ` · ${OUTPUT_TEXT.waiting(data.lag.messages)}`}
    </>
  );
}
