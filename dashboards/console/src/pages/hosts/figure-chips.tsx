import { Button, Group } from '@mantine/core';
import { figureText } from '#schemas/api/activity-figures.ts';
import { Icon } from '../../parts/icons.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { figuresOf } from '../../parts/value-filters.ts';
import { HOSTS_TEXT } from './text.ts';

const TEXT = PARTS_TEXT.filter;

/** A button for each condition on a figure, which removes it. */
export function FigureChips({
  value,
  onChange,
}: {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}) {
  const conditions = figuresOf(value);
  if (conditions.length === 0) return null;
  return (
    <Group gap={6} mb="xs" role="group" aria-label={TEXT.chips}>
      {conditions.map((condition) => {
        const { figure, sign, value: bound } = condition;
        const text = HOSTS_TEXT.figure(HOSTS_TEXT.figures[figure], sign, bound);
        const rest = conditions.filter((one) => one !== condition).map(figureText);
        return (
          <Button
            key={figureText(condition)}
            size="compact-sm"
            variant="default"
            aria-label={TEXT.remove(text)}
            rightSection={<Icon name="remove" size={12} />}
            onClick={() => onChange(rest.length === 0 ? undefined : rest.join(','))}
          >
            {text}
          </Button>
        );
      })}
    </Group>
  );
}
