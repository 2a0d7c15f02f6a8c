import { Button, Fieldset, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type Draft, draftOf } from './draft.ts';
import type { Field } from './field.ts';
import { isRecord } from './json.ts';
import { RUN_FORM_TEXT } from './text.ts';

const TEXT = RUN_FORM_TEXT;

interface FieldProps<F extends Field = Field> {
  readonly field: F;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  /** Messages by field path. */
  readonly problems: ReadonlyMap<string, string>;
  readonly path: string;
}

/** Form fields generated from a JSON Schema. */
export function SchemaField(props: FieldProps) {
  const { field, draft, onChange, problems, path } = props;
  if (field.kind === 'object') return <ObjectField {...props} field={field} />;
  if (field.kind === 'list') return <ListField {...props} field={field} />;
  const common = {
    label: field.label || TEXT.input,
    description: field.description,
    error: problems.get(path),
    withAsterisk: field.required,
    value: typeof draft === 'string' ? draft : '',
  };
  if (field.kind === 'boolean' || field.kind === 'choice') {
    const options =
      field.kind === 'boolean'
        ? [
            { value: 'true', label: TEXT.yes },
            { value: 'false', label: TEXT.no },
          ]
        : field.options.map((option, index) => ({
            value: String(index),
            label: typeof option === 'string' ? option : JSON.stringify(option),
          }));
    return (
      <NativeSelect
        {...common}
        data={[{ value: '', label: field.required ? TEXT.choose : TEXT.notSet }, ...options]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (field.kind === 'json')
    return (
      <Textarea
        {...common}
        description={field.description ?? TEXT.json}
        autosize
        minRows={3}
        maxRows={20}
        spellCheck={false}
        classNames={{ input: 'tl-mono' }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...common}
      inputMode={field.kind === 'number' ? (field.integer ? 'numeric' : 'decimal') : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function ObjectField({ field, draft, onChange, problems, path }: FieldProps<Field & { kind: 'object' }>) {
  const drafts = isRecord(draft) ? (draft as { readonly [name: string]: Draft }) : {};
  const inner = (
    <Stack gap="sm">
      {field.fields.map((one) => (
        <SchemaField
          key={one.name}
          field={one}
          draft={drafts[one.name] ?? draftOf(one)}
          problems={problems}
          path={path === '' ? one.name : `${path}.${one.name}`}
          onChange={(changed) => onChange({ ...drafts, [one.name]: changed })}
        />
      ))}
      {field.fields.length === 0 && <Text c="dimmed">{TEXT.noInput}</Text>}
    </Stack>
  );
  return path === '' ? inner : <Fieldset legend={field.label}>{inner}</Fieldset>;
}

function ListField({ field, draft, onChange, problems, path }: FieldProps<Field & { kind: 'list' }>) {
  const items: readonly Draft[] = Array.isArray(draft) ? draft : [];
  // Items are identified by their position.
  const numbered = items.map((item, at) => ({ item, at, key: `${at}` }));
  return (
    <Fieldset legend={field.required ? TEXT.required(field.label) : field.label}>
      <Stack gap="xs">
        {field.description !== undefined && (
          <Text size="sm" c="dimmed">
            {field.description}
          </Text>
        )}
        {numbered.map(({ item, at, key }) => (
          <Group key={key} align="flex-end" wrap="nowrap">
            <div style={{ flex: 1 }}>
              <SchemaField
                field={{ ...field.item, label: TEXT.item(field.label, at + 1) }}
                draft={item}
                problems={problems}
                path={`${path}.${at}`}
                onChange={(changed) => onChange(items.map((other, index) => (index === at ? changed : other)))}
              />
            </div>
            <Button
              variant="default"
              aria-label={TEXT.removeItem(field.label, at + 1)}
              onClick={() => onChange(items.filter((_, index) => index !== at))}
            >
              {TEXT.remove}
            </Button>
          </Group>
        ))}
        {problems.get(path) !== undefined && (
          <Text size="sm" c="red" role="alert">
            {problems.get(path)}
          </Text>
        )}
        <Group>
          <Button size="compact" variant="default" onClick={() => onChange([...items, draftOf(field.item)])}>
            {TEXT.add(field.label)}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
