import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { send } from '../api/client.ts';
import { FailureNotice } from './failure-notice.tsx';
import { JsonText } from './json-text.tsx';
import { PARTS_TEXT } from './text.ts';

/** The unparsed response of an API URL, in which numbers keep all digits. */
export function RawText({ address, label }: { readonly address: string; readonly label: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['raw-text', address],
    queryFn: async ({ signal }) => (await send(address, { signal })).text(),
  });
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return data === undefined ? (
    <Loader size="sm" aria-label={PARTS_TEXT.loadingNamed(label)} />
  ) : (
    <JsonText value={data.trimEnd()} label={label} />
  );
}
