import { Loader } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Body, call } from '../../api/client.ts';
import { ExceptionPreview } from '../../parts/exception-preview.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { DETECTION_TEXT } from './text.ts';

/** The stored detections that an exception would have silenced. `draft`: the exception as JSON. */
export function LiveExceptionPreview({ draft }: { readonly draft: string }) {
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
  if (data === undefined) return <Loader size="sm" aria-label={DETECTION_TEXT.exception.loadingPreview} />;
  return (
    <div aria-busy={isPlaceholderData}>
      <ExceptionPreview found={data} />
    </div>
  );
}
