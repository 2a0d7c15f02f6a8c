import { type FigureCondition, type FigureSign, figureText, parseConditions } from '#schemas/api/figure-conditions.ts';
import { type FilterTexts, filterFor, filterOut, joinValues, splitValues } from '../filters/filter-values.ts';

/**
 * How a value filters a list. `filter`: by a filter of this name. `term`: by a search field. `number`: by a search
 * field, also with less or more. `moment`: by a search field, also with earlier or later. `range`: by the time range.
 * `figure`: by a figure of a host, program or case. `choice`: by a filter with a small fixed set of values. `only`: by
 * a filter with one value and no exclusions.
 */
export type Narrowing = 'filter' | 'term' | 'number' | 'moment' | 'range' | 'figure' | 'choice' | 'only';

/** Filter actions of a menu. */
type Choice = 'for' | 'out' | 'atLeast' | 'atMost' | 'from' | 'until';

const CHOICES: Readonly<Record<Narrowing, readonly Choice[]>> = {
  filter: ['for', 'out'],
  term: ['for', 'out'],
  number: ['for', 'out', 'atLeast', 'atMost'],
  moment: ['from', 'until'],
  range: ['from', 'until'],
  figure: ['for', 'out', 'atLeast', 'atMost'],
  choice: ['for', 'out'],
  only: ['for'],
};

export function choicesOf(by: Narrowing): readonly Choice[] {
  return CHOICES[by];
}

/**
 * Returns the change of the filters `before` that filters the list by a value. `among`: all values of the filter, for
 * `choice`.
 */
export function narrowed(
  before: FilterTexts,
  by: Narrowing,
  name: string,
  value: string,
  choice: Choice,
  among: readonly string[] = [],
): FilterTexts {
  if (by === 'filter') return choice === 'out' ? filterOut(before, name, value) : filterFor(name, value);
  if (by === 'range')
    return choice === 'from' ? { from: value, range: undefined } : { to: justAfter(value), range: undefined };
  if (by === 'figure') return { figures: withFigure(before.figures, name, Number(value), choice) };
  if (by === 'only' || (by === 'choice' && choice === 'for')) return { [name]: value };
  if (by === 'choice') {
    // Some URLs contain filters with several values as lists.
    const chosen = splitValues(String(before[name] ?? '')).filter((one) => one !== value && among.includes(one));
    return { [name]: joinValues(chosen.length > 0 ? chosen : among.filter((one) => one !== value)) };
  }
  return { q: withTerm(before.q, name, value, choice) };
}

/** The end of a range is exclusive. */
const justAfter = (time: string) => new Date(Date.parse(time) + 1).toISOString();

const SIGNS: Readonly<Record<Choice, string>> = {
  for: ':',
  out: ':',
  atLeast: '>=',
  from: '>=',
  atMost: '<=',
  until: '<=',
};

const FIGURE_SIGNS: Readonly<Partial<Record<Choice, FigureSign>>> = {
  for: '=',
  out: '!=',
  atLeast: '>=',
  atMost: '<=',
};

/**
 * Adds a condition on a figure. Replaces conditions on this figure that it contradicts or repeats. Excluded values
 * accumulate.
 */
function withFigure(before: string | undefined, figure: string, value: number, choice: Choice): string {
  const added: FigureCondition = { figure, sign: FIGURE_SIGNS[choice] ?? '=', value };
  const kept = figuresOf(before).filter((one) => {
    if (one.figure !== figure) return true;
    if (added.sign === '=') return false;
    if (added.sign === '!=') return one.value !== value || one.sign === '>=' || one.sign === '<=';
    return one.sign !== added.sign && one.sign !== '=';
  });
  return [...kept, added].map(figureText).join(',');
}

/** Returns the conditions in search parameters. Empty if they are malformed. */
export function figuresOf(text: string | undefined): readonly FigureCondition[] {
  return text === undefined ? [] : (parseConditions(text) ?? []);
}

/** Adds a condition on a field to a search. Replaces conditions on the field that it contradicts or repeats. */
function withTerm(search: string | undefined, field: string, value: string, choice: Choice): string {
  const sign = SIGNS[choice];
  const term = termOf(field, value, sign);
  const added = choice === 'out' ? `not ${term}` : term;
  const kept = termsOf(search).filter(
    (one) => one !== term && one !== `not ${term}` && (choice === 'out' || !one.startsWith(`${field}${sign}`)),
  );
  return [...kept, added].join(' ');
}

/** Returns a condition on a field in the search language. */
export function termOf(field: string, value: string, sign = ':'): string {
  const plain = /^[^\s()"*?\\]+$/.test(value) && value.toLowerCase() !== 'null';
  return `${field}${sign}${plain ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`}`;
}

/**
 * Returns the conditions that must all hold. A search with alternatives, groups or quoted text counts as one condition.
 */
function termsOf(search: string | undefined): readonly string[] {
  const text = search?.trim() ?? '';
  if (text === '') return [];
  if (/["()]|\bor\b/i.test(text)) return [/\bor\b/i.test(text) ? `(${text})` : text];
  return text.replaceAll(/\band\s+/gi, '').match(/(?:not\s+)*\S+/gi) ?? [];
}
