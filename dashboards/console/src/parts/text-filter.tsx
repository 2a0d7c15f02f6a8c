import { TextInput } from '@mantine/core';
import { PARTS_TEXT } from './text.ts';
import { useDraft } from './use-draft.ts';

/** A filter by an exact value; its placeholder says so, because the search field also accepts patterns. */
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
      placeholder={PARTS_TEXT.filter.exact}
      size="xs"
      w="7rem"
      spellCheck={false}
      autoComplete="off"
      {...draft}
    />
  );
}
