import type { Body } from '../../api/operations.ts';
import type { Rule } from './rule.ts';
import { RULES_TEXT } from './text.ts';

const TEXT = RULES_TEXT.settings;

export type RuleProposal = Pick<Body<'patch', '/api/rules/{id}'>, 'enabled' | 'thresholds'>;

/**
 * Unsaved settings of a rule. Numbers are stored as typed. An empty text resets a setting to the rules file or the
 * default.
 */
export interface SettingsDraft {
  readonly enabled: boolean;
  readonly thresholds: Readonly<Record<string, string | boolean>>;
}

type Settings = Pick<Rule, 'enabled' | 'thresholds'>;

export function draftOf({ enabled, thresholds }: Settings): SettingsDraft {
  return {
    enabled,
    thresholds: Object.fromEntries(
      thresholds.map(({ name, value }) => [name, typeof value === 'boolean' ? value : String(value)]),
    ),
  };
}

/** Returns the names of the settings that the draft changes. */
export function changesOf(base: Settings, draft: SettingsDraft): readonly string[] {
  const before = draftOf(base);
  return [
    ...(draft.enabled === before.enabled ? [] : ['enabled']),
    ...Object.keys(draft.thresholds).filter((name) => draft.thresholds[name] !== before.thresholds[name]),
  ];
}

/** Returns the names of numeric settings whose text is not a number. */
export function mistakesOf(base: Settings, draft: SettingsDraft): readonly string[] {
  return base.thresholds
    .filter((threshold) => isNumeric(threshold))
    .filter(({ name }) => {
      const value = draft.thresholds[name];
      return typeof value === 'string' && value.trim() !== '' && !Number.isFinite(Number(value));
    })
    .map(({ name }) => name);
}

/** Returns true if the setting is a number. Other settings are a switch or a text. */
export function isNumeric({ default: shipped }: Pick<Settings['thresholds'][number], 'default'>): boolean {
  return typeof shipped === 'number';
}

/** Returns the changed settings, in the form that the API expects. */
export function proposalOf(base: Settings, draft: SettingsDraft): RuleProposal {
  const names = changesOf(base, draft);
  const thresholds = names
    .filter((name) => name !== 'enabled')
    .map((name) => {
      const numeric = base.thresholds.some((threshold) => threshold.name === name && isNumeric(threshold));
      return [name, valueTyped(draft.thresholds[name] ?? '', numeric)] as const;
    });
  return {
    ...(names.includes('enabled') ? { enabled: draft.enabled } : {}),
    ...(thresholds.length > 0 ? { thresholds: Object.fromEntries(thresholds) } : {}),
  };
}

function valueTyped(typed: string | boolean, numeric: boolean): number | boolean | string | null {
  if (typeof typed === 'boolean') return typed;
  if (typed.trim() === '') return null;
  return numeric ? Number(typed) : typed.trim();
}

export interface ForeignChange {
  readonly name: string;
  readonly before: string;
  readonly now: string;
  /** The value in the draft. */
  readonly mine: string | undefined;
}

/** Returns the changes that another user made since the draft was started. */
export function foreignChanges(base: Settings, now: Settings, draft: SettingsDraft): readonly ForeignChange[] {
  const mine = changesOf(base, draft);
  return changesOf(base, draftOf(now)).map((name) => ({
    name,
    before: shownValue(draftOf(base), name),
    now: shownValue(draftOf(now), name),
    mine: mine.includes(name) ? shownValue(draft, name) : undefined,
  }));
}

/** Rebases the draft on the current settings: keeps its changes and takes all other values. */
export function rebased(base: Settings, now: Settings, draft: SettingsDraft): SettingsDraft {
  const mine = changesOf(base, draft);
  const fresh = draftOf(now);
  return {
    enabled: mine.includes('enabled') ? draft.enabled : fresh.enabled,
    thresholds: {
      ...fresh.thresholds,
      ...Object.fromEntries(Object.entries(draft.thresholds).filter(([name]) => mine.includes(name))),
    },
  };
}

function shownValue(draft: SettingsDraft, name: string): string {
  if (name === 'enabled') return draft.enabled ? TEXT.on : TEXT.off;
  const value = draft.thresholds[name];
  return value === '' ? TEXT.default : String(value);
}
