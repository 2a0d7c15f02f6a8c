import { Checkbox, PasswordInput, Stack, Textarea } from '@mantine/core';
import type { OutputField } from './output-fields.ts';

/** A secret: it is typed in, and never shown again. */
export function SecretInput({
  field: { name, label, description, kind, required = false },
  set,
  value,
  without,
  onChange,
  onWithout,
}: {
  readonly field: OutputField;
  /** There is one already; nothing typed in: it stays. */
  readonly set: boolean;
  readonly value: string;
  readonly without: boolean;
  readonly onChange: (value: string) => void;
  readonly onWithout: (without: boolean) => void;
}) {
  const common = {
    name,
    label: `${label} (secret)`,
    description: set ? `${description ?? ''}. It is set; nothing here: it stays as it is` : description,
    required: required && !set,
    disabled: without,
    value,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value),
  };
  return (
    <Stack gap={6}>
      {kind === 'pem' ? (
        <Textarea
          {...common}
          autosize
          maxRows={6}
          spellCheck={false}
          placeholder="-----BEGIN PRIVATE KEY-----"
          classNames={{ input: 'tl-mono' }}
        />
      ) : (
        <PasswordInput {...common} autoComplete="new-password" />
      )}
      {set && !required && (
        <Checkbox
          size="sm"
          label={`Take away: ${label}`}
          checked={without}
          onChange={({ currentTarget }) => onWithout(currentTarget.checked)}
        />
      )}
    </Stack>
  );
}
