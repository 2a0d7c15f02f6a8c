import { Text } from '@mantine/core';
import { Fragment } from 'react';
import { Section } from '../../parts/section.tsx';
import { ValueActions } from '../../parts/values/value-actions.tsx';
import { visible } from '../../parts/visible.ts';
import { subjectOf } from '../detections/detection-columns.tsx';
import type { Detection } from './detection-types.ts';
import { DETECTION_TEXT } from './text.ts';

const TEXT = DETECTION_TEXT.values;

/** The distinct evidence values of a detection without a plot, each with its menu. */
export function ValuesSection({ of }: { readonly of: Omit<Detection, 'event'> }) {
  const { values, valuesTotal, register } = of;
  if (values.length === 0) return null;
  return (
    <Section title={TEXT.title}>
      <Text size="sm" className="tl-mono" component="div">
        {values.map((value) => (
          <Fragment key={value}>
            <ValueActions
              name="value"
              by="term"
              value={value}
              list="/detections"
              subject={{ ...subjectOf(of), register }}
              asButton
            >
              {visible(value)}
            </ValueActions>{' '}
          </Fragment>
        ))}
      </Text>
      {valuesTotal > values.length && (
        <Text size="xs" c="dimmed">
          {TEXT.some(values.length, valuesTotal)}
        </Text>
      )}
    </Section>
  );
}
