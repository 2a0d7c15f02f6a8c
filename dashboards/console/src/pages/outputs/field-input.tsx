import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { withCode } from '../../parts/with-code.tsx';
import type { OutputField } from './output-kinds.ts';
import { OUTPUT_TEXT } from './text.ts';

/** Input of one setting of an output. */
export function FieldInput({
  field: { name, label, description: given, input, required, choices, default: initial },
  value,
  onChange,
}: {
  readonly field: OutputField;
  readonly value: string | boolean;
  readonly onChange: (value: string | boolean) => void;
}) {
  const description = given && withCode(given);
  const common = { name, label, description, required };
  const text = String(value);
  if (input === 'switch')
    return (
      <Switch
        label={label}
        description={description}
        checked={value === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  if (input === 'choice')
    return (
      <NativeSelect
        {...common}
        value={text}
        data={(choices ?? []).map((choice) => ({ ...choice }))}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  if (input === 'pem')
    return (
      <Textarea
        {...common}
        autosize
        maxRows={6}
        spellCheck={false}
        placeholder={OUTPUT_TEXT.form.pemPlaceholder}
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
      inputMode={input === 'number' ? 'numeric' : 'text'}
      placeholder={initial === null ? undefined : String(initial)}
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
