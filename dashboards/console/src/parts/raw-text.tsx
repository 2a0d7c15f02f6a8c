import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { send } from '../api/client.ts';
import { FailureNotice } from './failure-notice.tsx';
import { JsonText } from './json-text.tsx';

/** What an address of the API answers, letter by letter: nothing here reads its numbers, so no digit is lost. */
export function RawText({ address, label }: { readonly address: string; readonly label: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['raw-text', address],
    queryFn: async ({ signal }) => (await send(address, { signal })).text(),
  });
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return data === undefined ? (
    <Loader size="sm" aria-label={`Loading ${label}`} />
  ) : (
    <JsonText value={data.trimEnd()} label={label} />
  );
}
