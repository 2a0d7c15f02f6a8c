import { Autocomplete, type AutocompleteProps, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { usePeople } from './queries.ts';
import { HAND_OFF_TEXT } from './text.ts';

const PAUSE_MS = 200;

/** A text input that suggests analysts by name or e-mail address. Its value is the user name. */
export function PersonInput({
  defaultValue = '',
  onTake,
  ...props
}: Omit<AutocompleteProps, 'data' | 'value' | 'onChange' | 'defaultValue'> & {
  readonly defaultValue?: string;
  /** Called when a suggestion was selected. */
  readonly onTake?: (username: string) => void;
}) {
  const [value, setValue] = useState(defaultValue);
  const [asked, setAsked] = useState(false);
  const [text] = useDebouncedValue(value, PAUSE_MS);
  const { data = [] } = usePeople(text, asked);
  const emails = new Map(data.map(({ username, email }) => [username, email]));
  return (
    <Autocomplete
      placeholder={HAND_OFF_TEXT.people.unassigned}
      maxLength={64}
      autoComplete="off"
      spellCheck={false}
      {...props}
      value={value}
      onChange={setValue}
      onFocus={() => setAsked(true)}
      data={data.map(({ username }) => username)}
      // The server has already filtered, also by e-mail address.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span>
          {option.value}
          <Text size="xs" className="tl-option-note">
            {emails.get(option.value)}
          </Text>
        </span>
      )}
      onOptionSubmit={(username) => onTake?.(username)}
    />
  );
}
