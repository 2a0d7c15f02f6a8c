import type { Body } from '../../api/operations.ts';
import type { Output, OutputFilter } from './output.ts';
import { OUTPUT_FIELDS, type OutputField } from './output-fields.ts';
import type { OutputKind } from './output-kinds.ts';

type Values = Readonly<Record<string, string | boolean>>;

/** The form, as it is filled in: texts as they are typed. */
export interface OutputDraft {
  readonly type: OutputKind;
  readonly name: string;
  readonly minSeverity: string;
  readonly rules: readonly string[];
  /** One a line. */
  readonly hosts: string;
  readonly causes: readonly string[];
  readonly settings: Values;
  /** Empty: as it is. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Secrets to take away. */
  readonly without: readonly string[];
}

export function newDraft(type: OutputKind): OutputDraft {
  const nothing = { minSeverity: '', rules: [], hosts: '', causes: [], secrets: {}, without: [] };
  return { type, name: '', ...nothing, settings: valuesOf(OUTPUT_FIELDS[type].settings, {}) };
}

export function draftOf({ type, name, filter, settings }: Output): OutputDraft {
  return {
    type,
    name,
    minSeverity: filter.minSeverity ?? '',
    rules: filter.rules ?? [],
    hosts: (filter.hosts ?? []).join('\n'),
    causes: filter.causes ?? [],
    settings: valuesOf(OUTPUT_FIELDS[type].settings, settings),
    secrets: {},
    without: [],
  };
}

/** What is asked of the API to make it. */
export function newOutputOf(draft: OutputDraft): Body<'post', '/api/outputs'> {
  // One of the shapes of the API, chosen by the type: it is the API that checks it.
  return {
    type: draft.type,
    name: draft.name.trim(),
    filter: filterOf(draft),
    settings: settingsOf(draft),
    secrets: secretsOf(draft),
  } as Body<'post', '/api/outputs'>;
}

/** What is asked of the API to change it: what differs. */
export function changeOf(output: Output, draft: OutputDraft): Body<'patch', '/api/outputs/{id}'> {
  const before = draftOf(output);
  const differs = (part: (draft: OutputDraft) => unknown) =>
    JSON.stringify(part(before)) !== JSON.stringify(part(draft));
  const secrets = { ...secretsOf(draft), ...Object.fromEntries(draft.without.map((name) => [name, null])) };
  return {
    ...(differs(({ name }) => name.trim()) ? { name: draft.name.trim() } : {}),
    ...(differs(filterOf) ? { filter: filterOf(draft) } : {}),
    ...(differs(settingsOf) ? { settings: settingsOf(draft) } : {}),
    ...(Object.keys(secrets).length > 0 ? { secrets } : {}),
  };
}

/** What of an output can be changed and shown, a value a line. */
export function definitionText({ name, enabled, filter, settings, secrets }: Output): string {
  return JSON.stringify({ name, enabled, filter, settings, secrets }, null, 2);
}

/** Labels of what has to be filled in and is not; `set`: names of the secrets there are. */
export function missingOf(draft: OutputDraft, set: readonly string[] = []): readonly string[] {
  const { settings, secrets } = OUTPUT_FIELDS[draft.type];
  return [
    ...(draft.name.trim() === '' ? ['Name'] : []),
    ...settings.filter(({ name, required }) => required && draft.settings[name] === '').map(({ label }) => label),
    ...secrets
      .filter(({ name, required }) => required && !set.includes(name) && (draft.secrets[name] ?? '') === '')
      .map(({ label }) => label),
  ];
}

function valuesOf(fields: readonly OutputField[], settings: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(
    fields.map(({ name, kind, default: shipped }) => {
      const value = settings[name] ?? shipped ?? (kind === 'switch' ? false : '');
      return [name, typeof value === 'boolean' ? value : String(value)];
    }),
  );
}

function settingsOf({ type, settings }: OutputDraft): Record<string, unknown> {
  return Object.fromEntries(
    OUTPUT_FIELDS[type].settings
      .map(({ name, kind }) => [name, typed(settings[name] ?? '', kind)] as const)
      .filter(([, value]) => value !== ''),
  );
}

function typed(value: string | boolean, kind: OutputField['kind']): string | number | boolean {
  if (typeof value === 'boolean') return value;
  const text = value.trim();
  // What is no number goes to the API as it is, which says so.
  return kind === 'number' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function secretsOf({ secrets }: OutputDraft): Record<string, string> {
  return Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ''));
}

function filterOf({ minSeverity, rules, hosts, causes }: OutputDraft): OutputFilter {
  const lines = hosts
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  // Chosen from the words that the API knows.
  return {
    ...(minSeverity === '' ? {} : { minSeverity }),
    ...(rules.length === 0 ? {} : { rules }),
    ...(lines.length === 0 ? {} : { hosts: lines }),
    ...(causes.length === 0 ? {} : { causes }),
  } as OutputFilter;
}
