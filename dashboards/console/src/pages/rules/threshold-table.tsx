import { Table, Text } from '@mantine/core';
import { useServerText } from '../../api/server-text.ts';
import { HeadRow } from '../../parts/list/head-row.tsx';
import { Section } from '../../parts/section.tsx';
import type { Rule } from './rule.ts';
import { RULES_TEXT } from './text.ts';

const TEXT = RULES_TEXT.thresholds;

/** The current thresholds, for users who cannot change them. */
export function ThresholdTable({ rule }: { readonly rule: Rule }) {
  const translated = useServerText();
  return (
    <Section title={TEXT.title}>
      <Table>
        <HeadRow columns={[TEXT.columns.name, TEXT.columns.value, { label: TEXT.columns.default, wideOnly: true }]} />
        <Table.Tbody>
          {rule.thresholds.map(({ name, value, default: shipped, description }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400}>
                {translated(description)}
                <Text size="xs" c="dimmed">
                  {name}
                </Text>
              </Table.Th>
              <Table.Td fw={value === shipped ? 400 : 700}>{String(value)}</Table.Td>
              <Table.Td visibleFrom="sm">{String(shipped)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed" mt="xs">
        {TEXT.adminsOnly}
      </Text>
    </Section>
  );
}
