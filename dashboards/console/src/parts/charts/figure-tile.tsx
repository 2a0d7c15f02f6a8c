import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A figure of a page: its label, and its value with a unit. */
export interface Figure {
  readonly label: string;
  readonly value: ReactNode;
  /** Place or time of the measurement. */
  readonly hint?: string;
}

/** The main figures of a page, as tiles next to each other. */
export function FigureTiles({ label, figures }: { readonly label: string; readonly figures: readonly Figure[] }) {
  return (
    <SimpleGrid
      component="dl"
      aria-label={label}
      cols={{ base: 2, sm: 3, lg: figures.length }}
      spacing="sm"
      m={0}
      mb="sm"
    >
      {figures.map(({ label: name, value, hint }) => (
        <Paper key={name} withBorder px="sm" py="xs">
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="xl" fw={600} lh={1.3} m={0} className="tl-figures">
            {value}
          </Text>
          {hint !== undefined && (
            <Text component="dd" size="xs" c="dimmed" m={0}>
              {hint}
            </Text>
          )}
        </Paper>
      ))}
    </SimpleGrid>
  );
}
