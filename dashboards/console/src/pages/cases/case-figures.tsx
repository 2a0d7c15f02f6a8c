import { Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { numberText } from '../../language/numbers.ts';
import { durationText } from '../../parts/execution/duration.ts';
import { figuresQuery } from './queries.ts';
import { CASES_TEXT } from './text.ts';

const TEXT = CASES_TEXT.figures;

/** Cases of the last 30 days in numbers; nothing until they are known. */
export function CaseFigures() {
  const { data } = useQuery(figuresQuery);
  if (data === undefined || data.opened === 0) return null;
  const { opened, stillOpen, timeToAcknowledge, timeToClose } = data;
  const spread = ({ p50, p95 }: typeof timeToClose) =>
    p50 === null || p95 === null ? TEXT.none : TEXT.spread(durationText(p50 * 1_000), durationText(p95 * 1_000));
  const figures = [
    [TEXT.opened, numberText(opened)],
    [TEXT.stillOpen, numberText(stillOpen)],
    [TEXT.acknowledge, spread(timeToAcknowledge)],
    [TEXT.close, spread(timeToClose)],
  ] as const;
  return (
    <Paper withBorder p="xs" mb="sm" component="section" aria-label={TEXT.title}>
      <Group gap="xl">
        <Text size="xs" c="dimmed">
          {TEXT.title}
        </Text>
        {figures.map(([name, value]) => (
          <div key={name}>
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <Text size="sm" fw={600}>
              {value}
            </Text>
          </div>
        ))}
      </Group>
    </Paper>
  );
}
