import { TextInput } from '@mantine/core';
import { PARTS_TEXT } from '../text.ts';
import { useDraft } from '../use-draft.ts';

/** A filter by an exact value. Its placeholder states this, because the search field also accepts patterns. */
export function TextFilter({
  label,
  value,
  width = '7rem',
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly width?: string;
  readonly onChange: (value: string | undefined) => void;
}) {
  const draft = useDraft(value ?? '', (text) => onChange(text === '' ? undefined : text));
  return (
    <TextInput
      label={label}
      placeholder={PARTS_TEXT.filter.exact}
      size="xs"
      w={width}
      spellCheck={false}
      autoComplete="off"
      {...draft}
    />
  );
}
