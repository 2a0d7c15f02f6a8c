import { type EventField, FIELD_NAMES, fieldByName } from './event-fields.ts';
import {
  MAX_CORRELATED_RULES,
  MAX_EVENT_COUNT,
  MAX_GROUP_FIELDS,
  MAX_TIMESPAN_SECONDS,
  MAX_VALUE_COUNT,
} from './limits.ts';
import { describe, integer, items, mapping, onlyKeys, optionalText, seconds } from './located-values.ts';
import { type Entry, type Located, refuse } from './located-yaml.ts';
import type { Correlation, Selection } from './user-rule.ts';

const TYPES = ['event_count', 'value_count', 'temporal', 'temporal_ordered'] as const;
type Type = (typeof TYPES)[number];
const STREAM = 'a stream passes every smaller count on its way: use gt or gte';

/** A selection and the names by which a correlation can refer to it. */
export interface NamedSelection {
  readonly names: readonly string[];
  readonly selection: Selection;
}

/** Parses the section `correlation` of a rule over the selections of its file. Throws `RefusedRule`. */
export function readCorrelation(
  at: Located,
  known: readonly NamedSelection[],
): { readonly correlation: Correlation; readonly selections: readonly Selection[] } {
  const map = mapping(at, 'correlation');
  onlyKeys(map, ['type', 'rules', 'group-by', 'timespan', 'condition', 'aliases'], {
    field: '`field` belongs to `condition`',
    generate: 'write the rule that also detects by itself into a file of its own',
  });
  const type = readType(map, at);
  const referred = readRules(required(map, 'rules', at), known);
  const aliases = map.get('aliases');
  const groups = readGroups(required(map, 'group-by', at), aliases, referred);
  const timespan = seconds(required(map, 'timespan', at), MAX_TIMESPAN_SECONDS);
  const condition = map.get('condition');
  const correlation: Correlation = {
    type,
    ...groups,
    timespan,
    ...(type === 'event_count' || type === 'value_count'
      ? readCount(type, required(map, 'condition', at))
      : { need: readTemporal(type, condition, referred.length), valueField: undefined }),
  };
  return { correlation, selections: referred.map(({ selection }) => selection) };
}

function required(map: ReadonlyMap<string, Entry>, name: string, at: Located): Located {
  return map.get(name)?.value ?? refuse(at, `\`${name}\` is missing`);
}

function readType(map: ReadonlyMap<string, Entry>, at: Located): Type {
  const found = required(map, 'type', at);
  const type = TYPES.find((one) => one === found.value);
  return (
    type ?? refuse(found, `the correlation type ${describe(found)} is not supported: known are ${TYPES.join(', ')}`)
  );
}

function readRules(at: Located, known: readonly NamedSelection[]): NamedSelection[] {
  const rules = items(at);
  if (rules.length === 0 || rules.length > MAX_CORRELATED_RULES)
    refuse(at, `names 1 to ${MAX_CORRELATED_RULES} rules (got ${rules.length})`);
  const found = rules.map((rule) => {
    const named = known.find(({ names }) => names.some((name) => name === rule.value));
    return (
      named ??
      refuse(
        rule,
        `no detection rule of this file has the name or id ${describe(rule)}; correlations of correlations and of other files are not supported`,
      )
    );
  });
  if (new Set(found).size < found.length) refuse(at, 'names a rule twice');
  return found;
}

function readGroups(at: Located, aliases: Entry | undefined, rules: readonly NamedSelection[]) {
  const fields = items(at);
  if (fields.length > MAX_GROUP_FIELDS) refuse(at, `${fields.length} fields, at most ${MAX_GROUP_FIELDS}`);
  const byAlias = aliases === undefined ? undefined : mapping(aliases.value, 'aliases');
  const columns = fields.map((field): { name: string; of: readonly EventField[] } => {
    const name = typeof field.value === 'string' ? field.value : refuse(field, 'a field name must be a text');
    const alias = byAlias?.get(name);
    if (alias === undefined) {
      const plain = groupField(field, name);
      return { name, of: rules.map(() => plain) };
    }
    const targets = mapping(alias.value, 'an alias');
    return {
      name,
      of: rules.map(({ names }) => {
        const target = names.map((one) => targets.get(one)).find((one) => one !== undefined);
        if (target === undefined) return refuse(alias, `the alias says nothing about the rule ${names[0]}`);
        return groupField(target.value, optionalText(target, 100) ?? '');
      }),
    };
  });
  if (!columns.some(({ of }) => of.every(({ name }) => name === 'hostname')))
    refuse(
      at,
      'must contain hostname: the events of one host are judged together, and different hosts by different processes',
    );
  return {
    groupNames: columns.map(({ name }) => name),
    groupBy: rules.map((_, i) => columns.map(({ of }) => of[i] as EventField)),
  };
}

function groupField(at: Located, name: string): EventField {
  const field = fieldByName(name);
  if (field === undefined)
    return refuse(at, `there is no field ${JSON.stringify(name.slice(0, 60))}: fields are ${FIELD_NAMES.join(', ')}`);
  if (field.column === null) refuse(at, `events cannot be grouped by ${name}, which is no column of the table events`);
  return field;
}

function readCount(type: 'event_count' | 'value_count', at: Located): Pick<Correlation, 'need' | 'valueField'> {
  const map = mapping(at, 'condition');
  const entry = map.get('field');
  if (type === 'event_count' && entry !== undefined) refuse(entry, 'field belongs to value_count');
  if (type === 'value_count' && entry === undefined) refuse(at, '`field` is missing: which values are counted');
  const name = optionalText(entry, 100);
  const field = name === undefined ? undefined : fieldByName(name);
  if (entry !== undefined && field === undefined)
    refuse(entry, `there is no field ${JSON.stringify(name)}: fields are ${FIELD_NAMES.join(', ')}`);
  return { need: leastCount(map, at, type === 'event_count' ? MAX_EVENT_COUNT : MAX_VALUE_COUNT), valueField: field };
}

function leastCount(map: ReadonlyMap<string, Entry>, at: Located, max: number): number {
  onlyKeys(map, ['field', 'gt', 'gte'], { lt: STREAM, lte: STREAM, eq: STREAM, neq: STREAM });
  const [gt, gte] = [map.get('gt'), map.get('gte')];
  if ((gt === undefined) === (gte === undefined)) refuse(at, 'takes one of gt and gte');
  return gte === undefined ? integer((gt as Entry).value, 0, max - 1) + 1 : integer(gte.value, 1, max);
}

/** Returns the number of rules that must occur: all, or the number in the condition. */
function readTemporal(type: Type, condition: Entry | undefined, rules: number): number {
  if (condition === undefined) return rules;
  if (type === 'temporal_ordered')
    refuse(condition, 'temporal_ordered needs all of its rules: leave the condition out');
  return leastCount(mapping(condition.value, 'condition'), condition.value, rules);
}
