import { Text } from '@mantine/core';
import { Section } from '../../parts/section.tsx';
import type { Detection } from './detection-types.ts';

/** The distinct values of evidence that no plot exists for. */
export function ValuesSection({
  of: { values, valuesTotal },
}: {
  readonly of: Pick<Detection, 'values' | 'valuesTotal'>;
}) {
  if (values.length === 0) return null;
  return (
    <Section title="Values">
      <Text size="sm" className="tl-mono">
        {values.join(' ')}
      </Text>
      {valuesTotal > values.length && (
        <Text size="xs" c="dimmed">
          {values.length} of {valuesTotal} distinct values
        </Text>
      )}
    </Section>
  );
}
