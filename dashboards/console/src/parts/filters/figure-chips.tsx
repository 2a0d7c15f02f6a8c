import { Button, Group } from '@mantine/core';
import { figureText } from '#schemas/api/figure-conditions.ts';
import { Icon } from '../icons.tsx';
import { PARTS_TEXT } from '../text.ts';
import { figuresOf } from '../values/value-filters.ts';

const TEXT = PARTS_TEXT.filter;

/** A button per condition on a figure, which removes it. */
export function FigureChips({
  value,
  names,
  onChange,
}: {
  readonly value: string | undefined;
  /** Displayed names of the figures. */
  readonly names: Readonly<Record<string, string>>;
  readonly onChange: (value: string | undefined) => void;
}) {
  const conditions = figuresOf(value);
  if (conditions.length === 0) return null;
  return (
    <Group gap={6} mb="xs" role="group" aria-label={TEXT.chips}>
      {conditions.map((condition) => {
        const { figure, sign, value: bound } = condition;
        const text = TEXT.condition(names[figure] ?? figure, sign, bound);
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
