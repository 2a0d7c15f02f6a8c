import { stringify } from 'yaml';
import type { RuleListing } from '../catalogue.ts';
import { TACTICS } from './attack-tags.ts';

/** The part of a built-in rule that Sigma can express: a selection, and a correlation over it if the rule counts. */
interface SigmaForm {
  readonly category: string;
  readonly selection: Readonly<Record<string, unknown>>;
  readonly correlation?: (thresholds: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** What the built-in rule does in addition. */
  readonly beyond: string;
}

const GROUP = ['hostname', 'procname'];
const secondsOf = (value: unknown, fallback: number): string =>
  `${Math.max(1, Math.round(typeof value === 'number' ? value : fallback))}s`;
const countOf = (value: unknown, fallback: number): number =>
  Math.max(2, Math.round(typeof value === 'number' ? value : fallback));

const FORMS: Readonly<Record<string, SigmaForm>> = {
  'instruction-pointer-probe': {
    category: 'kernel_trap',
    selection: { 'ip|gt': 0 },
    correlation: ({ window, minAlone }) => ({
      type: 'value_count',
      'group-by': GROUP,
      timespan: secondsOf(window, 21_600),
      condition: { field: 'ip', gte: countOf(minAlone, 12) },
    }),
    beyond:
      'The built-in rule compares offsets into the mapped file, finds small steps and leaves crash loops out. This one counts distinct addresses.',
  },
  'stack-canary-probe': {
    category: 'fatal_signal',
    selection: { signal: 'SIGIOT' },
    correlation: ({ window, minAborts }) => ({
      type: 'event_count',
      'group-by': GROUP,
      timespan: secondsOf(window, 60),
      condition: { gte: countOf(minAborts, 30) },
    }),
    beyond:
      'The built-in rule knows children of one image by its mapping and separates a restarting service from a probe. This one counts aborts.',
  },
  'suppressed-crash-burst': {
    category: 'suppressed_messages',
    selection: { 'count|gte': 10 },
    correlation: ({ window }) => ({
      type: 'event_count',
      'group-by': ['hostname'],
      timespan: secondsOf(window, 60),
      condition: { gte: 3 },
    }),
    beyond:
      'The built-in rule adds up the numbers of suppressed messages and subtracts those that a probe explains. This one counts lines.',
  },
  'unmapped-jump': {
    category: 'kernel_trap',
    selection: { 'errcode.instruction_fetch': true },
    correlation: ({ window }) => ({
      type: 'value_count',
      'group-by': GROUP,
      timespan: secondsOf(window, 21_600),
      condition: { field: 'ip', gte: 3 },
    }),
    beyond: 'The built-in rule knows targets by image and judges single jumps too. This one counts distinct targets.',
  },
  'detector-tampering': {
    category: 'config_mismatch',
    selection: { 'key|startswith': 'kernel.' },
    beyond: 'The built-in rule also leaves out values that hide nothing.',
  },
};

/** Tactic names in tags, by tactic id. */
const TACTIC_NAMES: ReadonlyMap<string, string> = new Map(Object.entries(TACTICS).map(([name, id]) => [id, name]));
const LEVELS = { info: 'informational', low: 'low', medium: 'medium', high: 'high', critical: 'critical' } as const;

/**
 * Returns a built-in rule as Sigma: one document, or a selection with the correlation over it. For rules that Sigma
 * cannot express by events, it selects the detections of the rule, for a system that collects them.
 */
export function sigmaOf(rule: RuleListing): string {
  const name = `trapline_${rule.id.replaceAll('-', '_')}`;
  const tags = rule.attack.flatMap(({ tactic, technique }) => [
    `attack.${TACTIC_NAMES.get(tactic) ?? tactic.toLowerCase()}`,
    `attack.${technique.toLowerCase()}`,
  ]);
  const form = sensitivePrograms(rule) ?? FORMS[rule.id];
  const notes = (title: string, ruleName: string, description: string) => ({
    title,
    name: ruleName,
    status: 'stable',
    description,
    author: 'Trapline',
    tags,
    level: LEVELS[rule.severity],
  });
  const falsepositives = [...rule.runbook.falsePositives];
  if (form === undefined) {
    const description = `${rule.summary} Sigma cannot say this by single events and counts: the rule selects the detections of Trapline.`;
    return documents([
      {
        ...notes(rule.name, name, description),
        logsource: { product: 'trapline', service: 'detections' },
        detection: { selection: { 'rule.id': rule.id }, condition: 'selection' },
        falsepositives,
      },
    ]);
  }
  const description = `${rule.summary} ${form.beyond}`;
  const logsource = { product: 'linux', service: 'kernel', category: form.category };
  const detection = { selection: form.selection, condition: 'selection' };
  if (form.correlation === undefined)
    return documents([{ ...notes(rule.name, name, description), logsource, detection, falsepositives }]);
  const values = Object.fromEntries(rule.thresholds.map(({ name: threshold, value }) => [threshold, value]));
  const base = `${name}_events`;
  return documents([
    { title: `${rule.name}: events`, name: base, logsource, detection },
    {
      ...notes(rule.name, name, description),
      correlation: { ...form.correlation(values), rules: [base] },
      falsepositives,
    },
  ]);
}

/** The list of programs is a setting. */
function sensitivePrograms({ id, thresholds }: RuleListing): SigmaForm | undefined {
  const value = thresholds.find(({ name }) => name === 'programs')?.value;
  if (id !== 'sensitive-program-crash' || typeof value !== 'string') return undefined;
  const programs = value
    .split(',')
    .map((program) => program.trim().slice(0, 15))
    .filter((program) => program !== '');
  return {
    category: 'crash',
    selection: { 'procname|cased': programs },
    beyond: 'The built-in rule counts a trap line and a dump of one crash once.',
  };
}

function documents(rules: readonly object[]): string {
  return rules.map((rule) => stringify(rule, { lineWidth: 0 })).join('---\n');
}
