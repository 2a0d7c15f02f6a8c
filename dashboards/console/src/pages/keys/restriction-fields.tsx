import { Group, NumberInput, Stack, Textarea } from '@mantine/core';
import { KEYS_TEXT } from './text.ts';

const TEXT = KEYS_TEXT.restrictions;
const MAX_REQUESTS = 100_000;

/** Restrictions of a key. Empty lists and null do not restrict it. */
export interface Restrictions {
  readonly networks: readonly string[];
  readonly workflows: readonly string[];
  readonly agents: readonly string[];
  readonly requestsPerMinute: number | null;
  readonly requestsPerDay: number | null;
}

const NONE: Restrictions = { networks: [], workflows: [], agents: [], requestsPerMinute: null, requestsPerDay: null };

/** Form fields for networks, workflows, agents and limits. `readRestrictions` reads their values. */
export function RestrictionFields({
  current = NONE,
  focused = false,
}: {
  readonly current?: Restrictions;
  /** True if the first field gets the focus when the dialog opens. */
  readonly focused?: boolean;
}) {
  const lines = (name: 'networks' | 'workflows' | 'agents') => ({
    name,
    label: TEXT[name],
    description: TEXT[`${name}Hint`],
    placeholder: TEXT.examples[name],
    defaultValue: current[name].join('\n'),
    autosize: true,
    maxRows: 6,
    spellCheck: false,
  });
  const limit = (name: string, label: string, value: number | null) => (
    <NumberInput
      name={name}
      label={label}
      description={TEXT.limitHint}
      defaultValue={value ?? ''}
      min={1}
      max={MAX_REQUESTS}
      allowDecimal={false}
      hideControls
    />
  );
  return (
    <Stack gap="sm">
      <Textarea {...lines('networks')} {...(focused ? { 'data-autofocus': true } : {})} />
      <Textarea {...lines('workflows')} />
      <Textarea {...lines('agents')} />
      <Group grow align="flex-start">
        {limit('minute', TEXT.perMinute, current.requestsPerMinute)}
        {limit('day', TEXT.perDay, current.requestsPerDay)}
      </Group>
    </Stack>
  );
}

/** Returns the values of the fields. */
export function readRestrictions(form: FormData) {
  return {
    networks: linesOf(form.get('networks')),
    workflows: linesOf(form.get('workflows')),
    agents: linesOf(form.get('agents')),
    requestsPerMinute: numberOf(form.get('minute')),
    requestsPerDay: numberOf(form.get('day')),
  };
}

function linesOf(value: FormDataEntryValue | null): string[] {
  return String(value ?? '')
    .split(/[\s,]+/)
    .filter((line) => line !== '');
}

function numberOf(value: FormDataEntryValue | null): number | null {
  const text = String(value ?? '').trim();
  return text === '' ? null : Number(text);
}
