import { Loader } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Body, call } from '../../api/client.ts';
import { FailureNotice } from '../failure-notice.tsx';
import { ExceptionPreview } from './exception-preview.tsx';

/**
 * The stored detections that an exception would have silenced. `draft`: the exception as JSON. `label`: label of the
 * loading indicator.
 */
export function LiveExceptionPreview({ draft, label }: { readonly draft: string; readonly label: string }) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['exception-preview', draft],
    queryFn: ({ signal }) =>
      call('post', '/api/exceptions/preview', {
        body: JSON.parse(draft) as NonNullable<Body<'post', '/api/exceptions/preview'>>,
        signal,
      }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loader size="sm" aria-label={label} />;
  return (
    <div aria-busy={isPlaceholderData}>
      <ExceptionPreview found={data} />
    </div>
  );
}
