import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/**
 * Second line of a cell, with the content of a column that a phone omits. A phone has space for two or three columns
 * with two lines per row.
 */
export function PhoneLine({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed" truncate lh={1.25} hiddenFrom="sm">
      {children}
    </Text>
  );
}
