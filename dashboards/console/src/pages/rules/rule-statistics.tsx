import { List, Text } from '@mantine/core';
import { useServerText } from '../../api/server-text.ts';
import { Section } from '../../parts/section.tsx';
import { withCode } from '../../parts/with-code.tsx';
import type { Rule } from './rule.ts';
import { RULES_TEXT } from './text.ts';

const TEXT = RULES_TEXT.statistics;

/** Base rate, expected false alarms and known evasions of a built-in rule. */
export function RuleStatistics({ of: { statistics } }: { readonly of: Rule }) {
  const textOf = useServerText();
  if (statistics === null) return null;
  const { baseRate, falseAlarmsPerMonth, falseAlarmForEach, evasions } = statistics;
  return (
    <Section title={TEXT.title}>
      <Text size="sm" mb="xs">
        {withCode(textOf(baseRate))}
      </Text>
      <Text size="sm" mb="xs">
        {withCode(TEXT.falseAlarms(falseAlarmsPerMonth, falseAlarmForEach && textOf(falseAlarmForEach)))}
      </Text>
      <Text size="sm" fw={600}>
        {TEXT.evasions}
      </Text>
      <List size="sm">
        {evasions.map(({ evasion, price }) => (
          <List.Item key={evasion}>{withCode(TEXT.evasion(textOf(evasion), textOf(price)))}</List.Item>
        ))}
      </List>
    </Section>
  );
}
