import { hash } from 'node:crypto';
import type { Severity } from '#schemas/detection.ts';
import { readAttack } from './attack-tags.ts';
import type { Expression } from './comparison.ts';
import { readCondition } from './condition.ts';
import { fieldByName } from './event-fields.ts';
import { MAX_REGEX_STATES, MAX_TIMESPAN_SECONDS } from './limits.ts';
import { describe, items, mapping, onlyKeys, optionalText, seconds } from './located-values.ts';
import { type Entry, type Located, readLocated, refuse } from './located-yaml.ts';
import { type NamedSelection, readCorrelation } from './read-correlation.ts';
import { type Refusal, RefusedRule } from './refusal.ts';
import { readCases } from './rule-cases.ts';
import { newBudget, readSelection } from './selection.ts';
import { type Correlation, JUDGED_TYPES, type Selection, type UserRule } from './user-rule.ts';
import { isUserRuleId, USER_RULE_PREFIX } from './user-rule-id.ts';

export type ReadRule =
  | { readonly ok: true; readonly rule: UserRule }
  | { readonly ok: false; readonly refusal: Refusal };

const LEVELS: Readonly<Record<string, Severity>> = {
  informational: 'info',
  low: 'low',
  medium: 'medium',
  high: 'high',
  critical: 'critical',
};
/** Fields of Sigma that do not affect what is detected. */
const NOTES = [
  'title',
  'id',
  'name',
  'related',
  'taxonomy',
  'status',
  'description',
  'license',
  'references',
  'author',
  'date',
  'modified',
  'fields',
  'falsepositives',
  'level',
  'tags',
  'scope',
  'sigma-version',
  'tests',
  'trapline',
];
const CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  crash: ['LinuxKernelTrap', 'LinuxFatalSignal'],
  kernel_trap: ['LinuxKernelTrap'],
  fatal_signal: ['LinuxFatalSignal'],
  suppressed_messages: ['LinuxSuppressedCallback'],
  config_mismatch: ['ConfigMismatch'],
};
const DEFAULT_QUIET = 3_600;
const MAX_TITLE = 256;
const MAX_DESCRIPTION = 4_000;

/** Parses a rule file: one Sigma rule, or several with a correlation over them. */
export function readRule(source: string): ReadRule {
  try {
    return { ok: true, rule: readDocuments(readLocated(source), source) };
  } catch (error) {
    if (error instanceof RefusedRule) return { ok: false, refusal: error.refusal };
    throw error;
  }
}

function readDocuments(documents: readonly Located[], source: string): UserRule {
  const budget = newBudget();
  const selections: NamedSelection[] = [];
  let main: { at: Located; map: ReadonlyMap<string, Entry> } | undefined;
  let correlated: ReturnType<typeof readCorrelation> | undefined;
  for (const at of documents) {
    const map = mapping(at, 'a rule');
    const correlation = map.get('correlation');
    if (correlation === undefined) {
      selections.push({ names: namesOf(map), selection: readDetection(at, map, budget) });
      continue;
    }
    if (correlated !== undefined) refuse(correlation, 'one file holds one correlation: its id is that of the rule');
    onlyKeys(map, [...NOTES, 'correlation'], { detection: 'a correlation rule has no detection of its own' });
    if (at !== documents.at(-1)) refuse(at, 'the correlation must be the last document of the file');
    correlated = readCorrelation(correlation.value, selections);
    main = { at, map };
  }
  const [first] = documents as [Located];
  if (correlated === undefined && documents.length > 1)
    refuse(documents[1] as Located, 'a file with several rules must end in a correlation over them');
  if (correlated !== undefined && correlated.selections.length < selections.length)
    refuse(first, 'the file has a rule that its correlation does not name');
  const { at, map } = main ?? { at: first, map: mapping(first, 'a rule') };
  const correlation = correlated?.correlation ?? single();
  const cases = documents.flatMap((document) => readCases(mapping(document, 'a rule').get('tests')));
  return {
    ...readNotes(at, map),
    selections: correlated?.selections ?? selections.map(({ selection }) => selection),
    correlation,
    quiet: readQuiet(map.get('trapline'), correlation),
    maxStates: MAX_REGEX_STATES,
    cases,
    sha256: hash('sha256', source, 'hex'),
  };
}

/** Returns the default correlation: each selected event is evidence against its program. */
function single(): Correlation {
  const groupNames = ['hostname', 'procname'];
  const groupBy = [
    groupNames.map((name) => fieldByName(name) ?? refuse({ line: 1, path: '$' }, `there is no field ${name}`)),
  ];
  return { type: 'single', groupBy, groupNames, timespan: 0, need: 1, valueField: undefined };
}

function namesOf(map: ReadonlyMap<string, Entry>): string[] {
  return ['name', 'id'].flatMap((key) => optionalText(map.get(key), 100) ?? []);
}

function readNotes(at: Located, map: ReadonlyMap<string, Entry>) {
  const title = optionalText(map.get('title'), MAX_TITLE);
  if (title === undefined || title.trim() === '') refuse(at, '`title` is missing');
  const level = map.get('level');
  const named = optionalText(level, 20);
  const severity = named === undefined ? 'medium' : LEVELS[named];
  if (severity === undefined)
    refuse(level as Entry, `must be one of ${Object.keys(LEVELS).join(', ')} (got ${JSON.stringify(named)})`);
  const falsePositives = map.get('falsepositives');
  return {
    id: readId(at, map),
    title: (title as string).replace(/\s+/g, ' ').trim(),
    description: optionalText(map.get('description'), MAX_DESCRIPTION) ?? '',
    severity: severity as Severity,
    attack: readAttack(map.get('tags')),
    falsePositives:
      falsePositives === undefined
        ? []
        : items(falsePositives.value)
            .slice(0, 50)
            .map(({ value }) => String(value).slice(0, 1_000)),
  };
}

/** Returns `user-` and the rule's name, or its id if it has no name. */
function readId(at: Located, map: ReadonlyMap<string, Entry>): string {
  const entry = map.get('name') ?? map.get('id');
  const text = optionalText(entry, 90);
  if (entry === undefined || text === undefined)
    return refuse(at, 'a `name` or an `id` is needed: the id of the rule is made from it');
  const id = USER_RULE_PREFIX + text.toLowerCase().replace(/[_\s]+/g, '-');
  if (!isUserRuleId(id))
    refuse(entry, `must consist of letters, digits, hyphens and underscores (got ${JSON.stringify(text)})`);
  return id;
}

function readQuiet(entry: Entry | undefined, { timespan }: Correlation): number {
  const fallback = timespan === 0 ? DEFAULT_QUIET : timespan;
  if (entry === undefined) return fallback;
  const map = mapping(entry.value, 'trapline');
  onlyKeys(map, ['quiet']);
  const quiet = map.get('quiet');
  if (quiet === undefined) return fallback;
  const found = seconds(quiet.value, MAX_TIMESPAN_SECONDS);
  if (found < timespan) refuse(quiet, `must be at least the timespan of the correlation, ${timespan}s (got ${found}s)`);
  return found;
}

function readDetection(at: Located, map: ReadonlyMap<string, Entry>, budget: ReturnType<typeof newBudget>): Selection {
  onlyKeys(map, [...NOTES, 'logsource', 'detection'], {
    action: 'actions and collections of Sigma 1 are not supported',
    filter: 'Sigma filters are not supported: add the filter to the rule',
  });
  const detection = map.get('detection');
  if (detection === undefined) return refuse(at, 'either `detection` or `correlation` is needed');
  const parts = mapping(detection.value, 'detection');
  const condition = parts.get('condition');
  if (condition === undefined) return refuse(detection, '`condition` is missing');
  if (parts.has('timeframe'))
    refuse(parts.get('timeframe') as Entry, 'timeframe is not supported: write a correlation rule');
  const selections = new Map<string, Expression>();
  for (const [name, { value }] of parts) if (name !== 'condition') selections.set(name, readSelection(value, budget));
  const expression = readCondition(condition.value, selections);
  const allowed = readLogSource(map.get('logsource'), at);
  const types = typesOf(expression)?.filter((type) => allowed.includes(type)) ?? allowed;
  return { name: namesOf(map)[0] ?? '', types, expression };
}

function readLogSource(entry: Entry | undefined, at: Located): readonly string[] {
  if (entry === undefined) return refuse(at, '`logsource` is missing: product linux, service kernel');
  const map = mapping(entry.value, 'logsource');
  onlyKeys(map, ['product', 'service', 'category', 'definition']);
  const [product, service, category] = [map.get('product'), map.get('service'), map.get('category')];
  if (product !== undefined && product.value.value !== 'linux')
    refuse(product, `there are no events of the product ${describe(product.value)}: linux only`);
  if (service !== undefined && service.value.value !== 'kernel')
    refuse(service, `there are no events of the service ${describe(service.value)}: kernel only`);
  if (category === undefined) return JUDGED_TYPES;
  const types = CATEGORIES[String(category.value.value)];
  return (
    types ??
    refuse(
      category,
      `there are no events of the category ${describe(category.value)}: known are ${Object.keys(CATEGORIES).join(', ')}`,
    )
  );
}

/** Returns the event types that an expression can select; undefined for any. */
function typesOf(expression: Expression): readonly string[] | undefined {
  switch (expression.kind) {
    case 'not':
      return undefined;
    case 'and': {
      const parts = expression.of.map(typesOf).filter((types) => types !== undefined);
      return parts.length === 0
        ? undefined
        : JUDGED_TYPES.filter((type) => parts.every((types) => types.includes(type)));
    }
    case 'or': {
      const parts = expression.of.map(typesOf);
      return parts.every((types) => types !== undefined)
        ? JUDGED_TYPES.filter((type) => parts.some((types) => types.includes(type)))
        : undefined;
    }
    case 'compare': {
      const { field, tests, all } = expression.comparison;
      if (field.name !== 'type' || all || !tests.every(({ op }) => op === 'equals')) return undefined;
      const named = tests.map((test) => (test.op === 'equals' ? test.text.toLowerCase() : ''));
      return JUDGED_TYPES.filter((type) => named.includes(type.toLowerCase()));
    }
  }
}
