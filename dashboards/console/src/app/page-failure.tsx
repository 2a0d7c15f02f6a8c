import { Box, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answers } from '../api/answers.ts';
import { FailureNotice } from '../parts/failure-notice.tsx';
import { handleLoadError } from './page-load-error.ts';
import { APP_TEXT } from './text.ts';

/** In place of a page that cannot be shown. Browsers keep a failed load of code: only a reload of the console tries again. */
export function PageFailure({ error }: { readonly error: unknown }) {
  const shown = useQuery({
    queryKey: ['page-failure', String(error)],
    queryFn: () => handleLoadError(error),
    networkMode: 'always',
    gcTime: 0,
    staleTime: 0,
  });
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
