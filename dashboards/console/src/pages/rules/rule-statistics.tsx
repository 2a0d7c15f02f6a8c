import { List, Text } from '@mantine/core';
import { Section } from '../../parts/section.tsx';
import type { Rule } from './rule.ts';
import { RULES_TEXT } from './text.ts';

const TEXT = RULES_TEXT.statistics;

/** Base rate, expected false alarms and known evasions of a built-in rule. */
export function RuleStatistics({ of: { statistics } }: { readonly of: Rule }) {
  if (statistics === null) return null;
  const { baseRate, falseAlarmsPerMonth, falseAlarmForEach, evasions } = statistics;
  return (
    <Section title={TEXT.title}>
      <Text size="sm" mb="xs">
        {baseRate}
      </Text>
      <Text size="sm" mb="xs">
        {TEXT.falseAlarms(falseAlarmsPerMonth, falseAlarmForEach)}
      </Text>
      <Text size="sm" fw={600}>
        {TEXT.evasions}
      </Text>
      <List size="sm">
        {evasions.map(({ evasion, price }) => (
          <List.Item key={evasion}>{TEXT.evasion(evasion, price)}</List.Item>
        ))}
      </List>
    </Section>
  );
}
