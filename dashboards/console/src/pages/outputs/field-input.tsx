import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import type { OutputField } from './output-fields.ts';

/** One setting of an output. */
export function FieldInput({
  field: { name, label, description, kind, required = false, choices = [], default: shipped },
  value,
  onChange,
}: {
  readonly field: OutputField;
  readonly value: string | boolean;
  readonly onChange: (value: string | boolean) => void;
}) {
  const common = { name, label, description, required };
  const text = String(value);
  if (kind === 'switch')
    return (
      <Switch
        label={label}
        description={description}
        checked={value === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  if (kind === 'choice')
    return (
      <NativeSelect
        {...common}
        value={text}
        data={choices.map((choice) => ({ ...choice }))}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  if (kind === 'pem')
    return (
      <Textarea
        {...common}
        autosize
        maxRows={6}
        spellCheck={false}
        placeholder="-----BEGIN CERTIFICATE-----"
        classNames={{ input: 'tl-mono' }}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...common}
      autoComplete="off"
      spellCheck={false}
      inputMode={kind === 'number' ? 'numeric' : 'text'}
      placeholder={shipped === undefined ? undefined : String(shipped)}
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
