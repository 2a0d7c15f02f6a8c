import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** What has a column of its own elsewhere, as the second line of a cell: a phone has room for two or three columns, and for two lines in a row. */
export function PhoneLine({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed" truncate lh={1.25} hiddenFrom="sm">
      {children}
    </Text>
  );
}
