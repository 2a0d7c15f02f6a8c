import { Checkbox, PasswordInput, Stack, Textarea } from '@mantine/core';
import { withCode } from '../../parts/with-code.tsx';
import type { OutputField } from './output-kinds.ts';
import { OUTPUT_TEXT } from './text.ts';

/** Input of a secret, which is never shown again. */
export function SecretInput({
  field: { name, label, description, input, required },
  set,
  value,
  removed,
  onChange,
  onRemove,
}: {
  readonly field: OutputField;
  /** True if a value is stored. An empty input keeps it. */
  readonly set: boolean;
  readonly value: string;
  readonly removed: boolean;
  readonly onChange: (value: string) => void;
  readonly onRemove: (removed: boolean) => void;
}) {
  const hint = set ? OUTPUT_TEXT.form.secretIsSet(description ?? '') : description;
  const common = {
    name,
    label: OUTPUT_TEXT.form.secret(label),
    description: hint && withCode(hint),
    required: required && !set,
    disabled: removed,
    value,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value),
  };
  return (
    <Stack gap={6}>
      {input === 'pem' ? (
        <Textarea
          {...common}
          autosize
          maxRows={6}
          spellCheck={false}
          placeholder={OUTPUT_TEXT.form.keyPlaceholder}
          classNames={{ input: 'tl-mono' }}
        />
      ) : (
        <PasswordInput {...common} autoComplete="new-password" />
      )}
      {set && !required && (
        <Checkbox
          size="sm"
          label={OUTPUT_TEXT.form.removeSecret(label)}
          checked={removed}
          onChange={({ currentTarget }) => onRemove(currentTarget.checked)}
        />
      )}
    </Stack>
  );
}
