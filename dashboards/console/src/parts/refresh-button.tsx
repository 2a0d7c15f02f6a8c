import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';

/** Refetches a list and shows the progress. */
export function RefreshButton({
  query,
  children,
}: {
  readonly query: { refetch(): Promise<unknown>; readonly isRefetching: boolean };
  readonly children: ReactNode;
}) {
  return (
    <Button
      leftSection={<Icon name="refresh" />}
      variant="default"
      onClick={() => void query.refetch()}
      loading={query.isRefetching}
    >
      {children}
    </Button>
  );
}
