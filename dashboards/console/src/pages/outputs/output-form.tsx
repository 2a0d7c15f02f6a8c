import { Button, Checkbox, Fieldset, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { SEVERITIES } from '#schemas/detection-terms.ts';
import { useRules } from '../../api/rules.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FieldInput } from './field-input.tsx';
import { severityFromText } from './filter-text.ts';
import { missingOf, type OutputDraft } from './output-draft.ts';
import type { OutputKind } from './output-kinds.ts';
import { SecretInput } from './secret-input.tsx';
import { OUTPUT_TEXT } from './text.ts';

const TEXT = OUTPUT_TEXT.form;

/** The form of an output. `set`: names of the stored secrets. Long: the markup of one form. */
export function OutputForm({
  kind,
  begin,
  set = [],
  action,
  error,
  busy,
  onSave,
  children,
}: {
  readonly kind: OutputKind;
  readonly begin: OutputDraft;
  readonly set?: readonly string[];
  /** Text of the button. */
  readonly action: string;
  readonly error: unknown;
  readonly busy: boolean;
  readonly onSave: (draft: OutputDraft) => void;
  readonly children?: ReactNode;
}) {
  const rules = useRules();
  const [draft, setDraft] = useState(begin);
  const { settings, secrets } = kind;
  const unknown = draft.rules.filter((id) => !rules.some((rule) => rule.id === id));
  const ruleChoices = [...rules.map(({ id, name }) => [id, name] as const), ...unknown.map((id) => [id, id] as const)];
  const missing = missingOf(kind, draft, set);
  function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (missing.length === 0) onSave(draft);
  }
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md" maw="44rem">
        <TextInput
          label={TEXT.name}
          description={TEXT.nameHint}
          maxLength={100}
          required
          value={draft.name}
          onChange={({ currentTarget: { value } }) => setDraft({ ...draft, name: value })}
        />
        {(settings.length > 0 || secrets.length > 0) && (
          <Fieldset legend={TEXT.receiver}>
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
                  removed={draft.removed.includes(field.name)}
                  onChange={(value) => setDraft({ ...draft, secrets: { ...draft.secrets, [field.name]: value } })}
                  onRemove={(removed) =>
                    setDraft({
                      ...draft,
                      removed: [
                        ...draft.removed.filter((name) => name !== field.name),
                        ...(removed ? [field.name] : []),
                      ],
                    })
                  }
                />
              ))}
            </Stack>
          </Fieldset>
        )}
        <Fieldset legend={TEXT.filter}>
          <Stack gap="sm">
            <NativeSelect
              label={TEXT.severity}
              value={draft.minSeverity}
              data={[
                { value: '', label: TEXT.anySeverity },
                ...SEVERITIES.map((value) => ({ value, label: severityFromText(value) })),
              ]}
              onChange={({ currentTarget: { value } }) => setDraft({ ...draft, minSeverity: value })}
            />
            <Choices
              label={TEXT.rules}
              choices={ruleChoices}
              value={draft.rules}
              onChange={(rules) => setDraft({ ...draft, rules })}
            />
            <Choices
              label={TEXT.notifyOn}
              choices={Object.entries(TEXT.causes)}
              value={draft.causes}
              onChange={(causes) => setDraft({ ...draft, causes })}
            />
            {kind.sendsCases && (
              <Choices
                label={TEXT.notifyOnCases}
                hint={TEXT.noCases}
                choices={Object.entries(TEXT.caseCauses)}
                value={draft.cases}
                onChange={(cases) => setDraft({ ...draft, cases })}
              />
            )}
            <Textarea
              label={TEXT.hosts}
              description={TEXT.hostsHint}
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
              {TEXT.missing(missing)}
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
  hint = TEXT.noneChosen,
}: {
  readonly label: string;
  readonly hint?: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
}) {
  return (
    <Checkbox.Group label={label} description={hint} value={[...value]} onChange={onChange}>
      <Group gap="sm" mt={6}>
        {choices.map(([id, text]) => (
          <Checkbox key={id} value={id} label={text} size="sm" />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
