import { Table, Text } from '@mantine/core';
import { HeadRow } from '../../parts/head-row.tsx';
import { Section } from '../../parts/section.tsx';
import type { Rule } from './rule.ts';

/** The thresholds that hold, for who may not change them. */
export function ThresholdTable({ rule }: { readonly rule: Rule }) {
  return (
    <Section title="Thresholds">
      <Table>
        <HeadRow columns={['Name', 'Value', { label: 'Default', wideOnly: true }]} />
        <Table.Tbody>
          {rule.thresholds.map(({ name, value, default: shipped, description }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400}>
                {name}
                <Text size="xs" c="dimmed">
                  {description}
                </Text>
              </Table.Th>
              <Table.Td fw={value === shipped ? 400 : 700}>{String(value)}</Table.Td>
              <Table.Td visibleFrom="sm">{String(shipped)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed" mt="xs">
        An administrator can change them.
      </Text>
    </Section>
  );
}
