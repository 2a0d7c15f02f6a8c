import { Button, Checkbox, Fieldset, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { SEVERITIES } from '#schemas/detection-terms.ts';
import { useRuleIds } from '../../api/rules.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FieldInput } from './field-input.tsx';
import { missingOf, type OutputDraft } from './output-draft.ts';
import { OUTPUT_FIELDS } from './output-fields.ts';
import { SecretInput } from './secret-input.tsx';

const CAUSES = {
  opened: 'when one is opened',
  grown: 'when one goes on',
  closed: 'when an analyst closes one',
} as const;

/** Asks for all of an output. `set`: names of the secrets that it has. */
export function OutputForm({
  begin,
  set = [],
  action,
  error,
  busy,
  onSave,
  children,
}: {
  readonly begin: OutputDraft;
  readonly set?: readonly string[];
  /** What the button says. */
  readonly action: string;
  readonly error: unknown;
  readonly busy: boolean;
  readonly onSave: (draft: OutputDraft) => void;
  readonly children?: ReactNode;
}) {
  const ruleIds = useRuleIds();
  const [draft, setDraft] = useState(begin);
  const { settings, secrets } = OUTPUT_FIELDS[draft.type];
  const missing = missingOf(draft, set);
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (missing.length === 0) onSave(draft);
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md" maw="44rem">
        <TextInput
          label="Name"
          description="By which people know it"
          maxLength={100}
          required
          value={draft.name}
          onChange={({ currentTarget: { value } }) => setDraft({ ...draft, name: value })}
        />
        {(settings.length > 0 || secrets.length > 0) && (
          <Fieldset legend="Receiver">
            <Stack gap="sm">
              {settings.map((field) => (
                <FieldInput
                  key={field.name}
                  field={field}
                  value={draft.settings[field.name] ?? ''}
                  onChange={(value) => setDraft({ ...draft, settings: { ...draft.settings, [field.name]: value } })}
                />
              ))}
              {secrets.map((field) => (
                <SecretInput
                  key={field.name}
                  field={field}
                  set={set.includes(field.name)}
                  value={draft.secrets[field.name] ?? ''}
                  without={draft.without.includes(field.name)}
                  onChange={(value) => setDraft({ ...draft, secrets: { ...draft.secrets, [field.name]: value } })}
                  onWithout={(away) =>
                    setDraft({
                      ...draft,
                      without: [...draft.without.filter((name) => name !== field.name), ...(away ? [field.name] : [])],
                    })
                  }
                />
              ))}
            </Stack>
          </Fieldset>
        )}
        <Fieldset legend="What it is told of">
          <Stack gap="sm">
            <NativeSelect
              label="Severity"
              value={draft.minSeverity}
              data={[
                { value: '', label: 'Any' },
                ...SEVERITIES.map((value) => ({ value, label: `${value} and above` })),
              ]}
              onChange={({ currentTarget: { value } }) => setDraft({ ...draft, minSeverity: value })}
            />
            <Choices
              label="Rules"
              choices={[...new Set([...ruleIds, ...draft.rules])].map((id) => [id, id])}
              value={draft.rules}
              onChange={(rules) => setDraft({ ...draft, rules })}
            />
            <Choices
              label="Told"
              choices={Object.entries(CAUSES)}
              value={draft.causes}
              onChange={(causes) => setDraft({ ...draft, causes })}
            />
            <Textarea
              label="Hosts"
              description="One a line, * stands for any text; nothing: all of them"
              autosize
              minRows={1}
              value={draft.hosts}
              onChange={({ currentTarget: { value } }) => setDraft({ ...draft, hosts: value })}
            />
          </Stack>
        </Fieldset>
        {error !== null && <FailureNotice error={error} />}
        <Group gap="sm">
          <Button type="submit" loading={busy} disabled={missing.length > 0}>
            {action}
          </Button>
          {children}
          {missing.length > 0 && (
            <Text size="sm" c="dimmed">
              Still to be filled in: {missing.join(', ')}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function Choices({
  label,
  choices,
  value,
  onChange,
}: {
  readonly label: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
}) {
  return (
    <Checkbox.Group label={label} description="None chosen: all of them" value={[...value]} onChange={onChange}>
      <Group gap="sm" mt={6}>
        {choices.map(([id, text]) => (
          <Checkbox key={id} value={id} label={text} size="sm" />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
