import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import { Icon } from '../icons.tsx';
import { PARTS_TEXT } from '../text.ts';
import { joinValues, splitValues } from './filter-values.ts';

const TEXT = PARTS_TEXT.filter;

/** A value of a filter with its displayed text. */
export interface ChoiceOption {
  readonly value: string;
  readonly label: string;
}

/** A filter with a fixed set of values, of which several can be selected. Its button shows the selected values. */
export function ChoiceFilter({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly ChoiceOption[];
  /** The selected values, as in the URL. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}) {
  const id = useId();
  /**
   * Undefined until it is opened for the first time. The menu is not rendered before, because lists have several
   * filters.
   */
  const [opened, setOpened] = useState<boolean>();
  const trigger = useRef<HTMLButtonElement>(null);
  const chosen = splitValues(value);
  const named = chosen.map((one) => options.find((option) => option.value === one)?.label ?? one);
  const text = named.length === 0 ? TEXT.any : named.length > 2 ? TEXT.several(named.length) : named.join(', ');
  function change(isOpen: boolean) {
    setOpened(isOpen);
    if (!isOpen) trigger.current?.focus();
  }
  const button = (
    <Button
      ref={trigger}
      size="sm"
      variant="default"
      px="xs"
      fw={400}
      aria-haspopup="dialog"
      aria-expanded={opened ?? false}
      aria-label={TEXT.named(label, text)}
      rightSection={<Icon name="chevron" size={14} />}
      onClick={() => setOpened(!opened)}
    >
      {text}
    </Button>
  );
  const caption = (
    <span id={id} className="tl-choice-label">
      {label}
    </span>
  );
  if (opened === undefined)
    return (
      <div className="tl-choice">
        {caption}
        {button}
      </div>
    );
  return (
    <div className="tl-choice">
      {caption}
      <Popover
        opened={opened}
        onChange={change}
        position="bottom-start"
        shadow="md"
        trapFocus
        returnFocus={false}
        withRoles={false}
      >
        <Popover.Target>{button}</Popover.Target>
        <Popover.Dropdown role="dialog" aria-label={label} p="sm">
          <Checkbox.Group
            value={[...chosen]}
            aria-labelledby={id}
            // In the order of the options, so that the same selection has the same URL.
            onChange={(values) =>
              onChange(
                joinValues([
                  ...options.map((option) => option.value).filter((one) => values.includes(one)),
                  ...values.filter((one) => !options.some((option) => option.value === one)),
                ]),
              )
            }
          >
            <Stack gap={6} mah="18rem" style={{ overflowY: 'auto' }}>
              {options.map((option) => (
                <Checkbox key={option.value} size="xs" value={option.value} label={option.label} />
              ))}
            </Stack>
          </Checkbox.Group>
          {chosen.length > 0 && (
            <Button size="compact-sm" variant="subtle" mt="xs" onClick={() => onChange(undefined)}>
              {TEXT.clear}
            </Button>
          )}
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}
