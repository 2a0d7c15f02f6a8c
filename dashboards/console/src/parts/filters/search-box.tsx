import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { Icon } from '../icons.tsx';
import { useShortcuts } from '../shortcuts.ts';
import { PARTS_TEXT } from '../text.ts';

const PAUSE_MS = 350;
const ID = 'search';

/** A field that searches while the user types, after a short delay. `/` focuses it. */
export function SearchBox({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}) {
  const [text, setText] = useState(value ?? '');
  const search = useDebouncedCallback((typed: string) => onChange(typed === '' ? undefined : typed), PAUSE_MS);
  useShortcuts([{ keys: '/', does: PARTS_TEXT.search.label, run: () => document.getElementById(ID)?.focus() }]);
  return (
    <TextInput
      id={ID}
      type="search"
      leftSection={<Icon name="search" />}
      label={label}
      value={text}
      maxLength={200}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
