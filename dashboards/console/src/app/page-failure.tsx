import { Box, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { answers } from '../api/answers.ts';
import { Failure } from '../api/failure.ts';
import { FailureNotice } from '../parts/failure-notice.tsx';
import { handleLoadError } from './page-load-error.ts';
import { SERVER_BACK, serverWatch } from './queries.ts';
import { APP_TEXT } from './text.ts';

/**
 * Shown instead of a page that cannot be rendered. Browsers cache a failed load of code, so only a reload of the
 * console retries it. The reload happens when the server responds again.
 */
export function PageFailure({ error }: { readonly error: unknown }) {
  const shown = useQuery({
    queryKey: ['page-failure', String(error)],
    queryFn: () => handleLoadError(error),
    networkMode: 'always',
    gcTime: 0,
    staleTime: 0,
  });
  const unreachable = shown.data instanceof Failure && shown.data.status === 0;
  useEffect(() => {
    if (!unreachable) return;
    const reload = () => location.reload();
    addEventListener(SERVER_BACK, reload);
    serverWatch.lost();
    return () => removeEventListener(SERVER_BACK, reload);
  }, [unreachable]);
  async function again() {
    if (await answers()) location.reload();
  }
  return (
    <Box px="md">
      {shown.isPending ? (
        <Loader size="sm" aria-label={APP_TEXT.loading} />
      ) : (
        <FailureNotice error={shown.data} onRetry={() => void again()} />
      )}
    </Box>
  );
}
