import { Button, Group } from '@mantine/core';
import { Icon } from '../icons.tsx';
import { PARTS_TEXT } from '../text.ts';
import { visible } from '../visible.ts';
import { type FilterTexts, splitValues, withoutValue } from './filter-values.ts';

const TEXT = PARTS_TEXT.filter;

/** A button per filter value, which removes it. `keys`: filters without a dedicated input. */
export function FilterChips({
  filters,
  keys,
  nameOf,
  textOf = (_, value) => value,
  onChange,
}: {
  readonly filters: FilterTexts;
  readonly keys: readonly string[];
  /** Returns the displayed name of a filter. */
  readonly nameOf: (name: string) => string;
  /** Returns the displayed text of a value. */
  readonly textOf?: (name: string, value: string) => string;
  readonly onChange: (change: FilterTexts) => void;
}) {
  const chips = keys.flatMap((key) => splitValues(filters[key]).map((value) => ({ key, value })));
  if (chips.length === 0) return null;
  return (
    <Group gap={6} mb="xs" role="group" aria-label={TEXT.chips}>
      {chips.map(({ key, value }) => {
        const isExcluded = key.startsWith('exclude.');
        const name = isExcluded ? key.slice('exclude.'.length) : key;
        const shown = visible(textOf(name, value));
        const text = isExcluded ? TEXT.excluded(nameOf(name), shown) : TEXT.included(nameOf(name), shown);
        return (
          <Button
            key={`${key} ${value}`}
            size="compact-sm"
            variant="default"
            maw="100%"
            aria-label={TEXT.remove(text)}
            rightSection={<Icon name="remove" size={12} />}
            onClick={() => onChange(withoutValue(filters, key, value))}
          >
            {text}
          </Button>
        );
      })}
    </Group>
  );
}
