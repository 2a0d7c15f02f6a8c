import { TextInput } from '@mantine/core';
import { useDraft } from './use-draft.ts';

/** A filter by an exact value, and it says so: the search beside it takes parts and patterns. */
export function TextFilter({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}) {
  const draft = useDraft(value ?? '', (text) => onChange(text === '' ? undefined : text));
  return (
    <TextInput
      label={label}
      placeholder="whole name"
      size="xs"
      w="7rem"
      spellCheck={false}
      autoComplete="off"
      {...draft}
    />
  );
}
