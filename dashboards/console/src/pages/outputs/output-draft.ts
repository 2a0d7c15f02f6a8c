import type { Body } from '../../api/operations.ts';
import type { Output, OutputFilter } from './output.ts';
import type { OutputField, OutputKind } from './output-kinds.ts';
import { OUTPUT_TEXT } from './text.ts';

type Values = Readonly<Record<string, string | boolean>>;

/** The content of the form as the user entered it. */
export interface OutputDraft {
  readonly name: string;
  readonly minSeverity: string;
  readonly rules: readonly string[];
  /** One per line. */
  readonly hosts: string;
  readonly causes: readonly string[];
  /** Causes of messages about cases. */
  readonly cases: readonly string[];
  readonly settings: Values;
  /** Secrets by name. An empty value keeps the stored secret. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Names of secrets to remove. */
  readonly removed: readonly string[];
}

/** Returns an empty form for a new output. */
export function newDraft(kind: OutputKind): OutputDraft {
  const empty = { minSeverity: '', rules: [], hosts: '', causes: [], cases: [], secrets: {}, removed: [] };
  return { name: '', ...empty, settings: valuesOf(kind.settings, {}) };
}

/** Returns the form for an existing output. */
export function draftOf(kind: OutputKind, { name, filter, settings }: Output): OutputDraft {
  return {
    name,
    minSeverity: filter.minSeverity ?? '',
    rules: filter.rules ?? [],
    hosts: (filter.hosts ?? []).join('\n'),
    causes: filter.causes ?? [],
    cases: filter.cases ?? [],
    settings: valuesOf(kind.settings, settings),
    secrets: {},
    removed: [],
  };
}

/** Returns the request that creates the output. */
export function newOutputOf(kind: OutputKind, draft: OutputDraft): Body<'post', '/api/outputs'> {
  return {
    type: kind.type,
    name: draft.name.trim(),
    filter: filterOf(draft),
    settings: settingsOf(kind, draft),
    secrets: secretsOf(draft),
  };
}

/** Returns the request that changes the output. It contains only differences. */
export function changeOf(kind: OutputKind, output: Output, draft: OutputDraft): Body<'patch', '/api/outputs/{id}'> {
  const before = draftOf(kind, output);
  const differs = (part: (draft: OutputDraft) => unknown) =>
    JSON.stringify(part(before)) !== JSON.stringify(part(draft));
  const secrets = { ...secretsOf(draft), ...Object.fromEntries(draft.removed.map((name) => [name, null])) };
  return {
    ...(differs(({ name }) => name.trim()) ? { name: draft.name.trim() } : {}),
    ...(differs(filterOf) ? { filter: filterOf(draft) } : {}),
    ...(differs((one) => settingsOf(kind, one)) ? { settings: settingsOf(kind, draft) } : {}),
    ...(Object.keys(secrets).length > 0 ? { secrets } : {}),
  };
}

/** Returns the editable part of an output as text, for a diff. */
export function definitionText({ name, enabled, filter, settings, secrets }: Output): string {
  return JSON.stringify({ name, enabled, filter, settings, secrets }, null, 2);
}

/** Returns the labels of required fields that are empty. `set`: names of the stored secrets. */
export function missingOf(
  { settings, secrets }: OutputKind,
  draft: OutputDraft,
  set: readonly string[] = [],
): readonly string[] {
  return [
    ...(draft.name.trim() === '' ? [OUTPUT_TEXT.form.name] : []),
    ...settings.filter(({ name, required }) => required && draft.settings[name] === '').map(({ label }) => label),
    ...secrets
      .filter(({ name, required }) => required && !set.includes(name) && (draft.secrets[name] ?? '') === '')
      .map(({ label }) => label),
  ];
}

function valuesOf(fields: readonly OutputField[], settings: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(
    fields.map(({ name, input, default: initial }) => {
      const value = settings[name] ?? initial ?? (input === 'switch' ? false : '');
      return [name, typeof value === 'boolean' ? value : String(value)];
    }),
  );
}

function settingsOf(kind: OutputKind, { settings }: OutputDraft): Record<string, unknown> {
  return Object.fromEntries(
    kind.settings
      .map(({ name, input }) => [name, typed(settings[name] ?? '', input)] as const)
      .filter(([, value]) => value !== ''),
  );
}

function typed(value: string | boolean, input: OutputField['input']): string | number | boolean {
  if (typeof value === 'boolean') return value;
  const text = value.trim();
  // The API reports an error for text that is no number.
  return input === 'number' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function secretsOf({ secrets }: OutputDraft): Record<string, string> {
  return Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ''));
}

function filterOf({ minSeverity, rules, hosts, causes, cases }: OutputDraft): OutputFilter {
  const lines = hosts
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  // The form offers only values that the API accepts.
  return {
    ...(minSeverity === '' ? {} : { minSeverity }),
    ...(rules.length === 0 ? {} : { rules }),
    ...(lines.length === 0 ? {} : { hosts: lines }),
    ...(causes.length === 0 ? {} : { causes }),
    ...(cases.length === 0 ? {} : { cases }),
  } as OutputFilter;
}
