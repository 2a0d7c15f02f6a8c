import { SimpleGrid, Text } from '@mantine/core';
import { ValueActions } from '../../parts/values/value-actions.tsx';
import { subjectOf } from '../detections/detection-columns.tsx';
import type { Detection } from './detection-types.ts';
import { figuresOf } from './figures.ts';
import { DETECTION_TEXT } from './text.ts';
// Not imported in the route file, because the start of the console would wait for it.
import './detection.css';

/** The main figures of a detection. */
export function KeyFigures({ of }: { readonly of: Omit<Detection, 'event'> }) {
  const figures = figuresOf(of);
  return (
    <SimpleGrid
      component="dl"
      cols={{ base: 2, sm: figures.length }}
      spacing="sm"
      my="sm"
      aria-label={DETECTION_TEXT.figures.label}
    >
      {figures.map(({ name, value, field, number }) => (
        <div key={name} className="tl-figure">
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="xl" fw={650} m={0} lh={1.2}>
            {field === undefined ? (
              value
            ) : (
              <ValueActions
                name={field}
                by="number"
                value={number}
                shown={value}
                list="/detections"
                subject={subjectOf(of)}
              >
                {value}
              </ValueActions>
            )}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
