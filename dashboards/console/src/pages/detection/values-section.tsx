import { Text } from '@mantine/core';
import { Section } from '../../parts/section.tsx';
import type { Detection } from './detection-types.ts';
import { DETECTION_TEXT } from './text.ts';

const TEXT = DETECTION_TEXT.values;

/** The distinct values of evidence that cannot be plotted. */
export function ValuesSection({
  of: { values, valuesTotal },
}: {
  readonly of: Pick<Detection, 'values' | 'valuesTotal'>;
}) {
  if (values.length === 0) return null;
  return (
    <Section title={TEXT.title}>
      <Text size="sm" className="tl-mono">
        {values.join(' ')}
      </Text>
      {valuesTotal > values.length && (
        <Text size="xs" c="dimmed">
          {TEXT.some(values.length, valuesTotal)}
        </Text>
      )}
    </Section>
  );
}
