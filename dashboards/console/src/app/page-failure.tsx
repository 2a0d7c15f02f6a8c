import { Box } from '@mantine/core';
import { answers } from '../api/answers.ts';
import { FailureNotice } from '../parts/failure-notice.tsx';

/** In place of a page that can't be shown. Browsers keep code that did not come as missing: only the whole console tries again, and only from a server that answers. */
export function PageFailure({ error }: { readonly error: unknown }) {
  async function again() {
    if (await answers()) location.reload();
  }
  return (
    <Box px="md">
      <FailureNotice error={error} onRetry={() => void again()} />
    </Box>
  );
}
