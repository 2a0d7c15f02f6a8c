import { Loader, Paper } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { DASHBOARD_TEXT } from './text.ts';

/** A panel with its loading and error states. `children` renders the response. */
export function PanelFrame<T>({
  title,
  query,
  children,
}: {
  readonly title: string;
  readonly query: UseQueryResult<T>;
  readonly children: (found: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  return (
    <Paper withBorder p="sm" component="section" aria-label={title} mih={280}>
      {query.isError ? (
        <FailureNotice error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Loader size="sm" aria-label={DASHBOARD_TEXT.loading(title)} />
      )}
    </Paper>
  );
}
