import { WORKFLOWS_TEXT } from './text.ts';

const TEXT = WORKFLOWS_TEXT.triggers;

const COMPARISON = /^\.([A-Za-z_][\w.]*) *(==|!=|>=|<=|>|<) *("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null)$/;
type Operator = keyof typeof TEXT.operators;

interface Comparison {
  readonly path: string;
  readonly operator: Operator;
  readonly value: string;
}

/**
 * Returns an event filter expression as conditions: `${ .severity == "high" or .severity == "critical" }` becomes
 * `severity high or critical`. Undefined unless the expression consists of comparisons that are joined by only `and` or
 * only `or`.
 */
export function filterConditions(expression: string): readonly string[] | undefined {
  const inner = /^\$\{([\s\S]*)\}$/.exec(expression.trim())?.[1]?.trim();
  if (inner === undefined) return undefined;
  const all = partsOf(inner, 'and').map(comparisonOf);
  if (all.every((one) => one !== undefined)) return all.map(conditionText);
  const alternatives = partsOf(inner, 'or').map(comparisonOf);
  if (!alternatives.every((one) => one !== undefined)) return undefined;
  const [first] = alternatives;
  const alike = alternatives.every(({ path, operator }) => path === first?.path && operator === '==');
  if (!alike) return [alternatives.map(conditionText).join(TEXT.or)];
  return [TEXT.attribute(first?.path ?? '', alternatives.map(({ value }) => value).join(TEXT.or))];
}

/** Splits a text at the word, except inside quotes. */
function partsOf(text: string, word: 'and' | 'or'): readonly string[] {
  const parts = [''];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|\b(?:and|or)\b|[^"ao]+|[\s\S]/g))
    if (token === word) parts.push('');
    else parts.push(`${parts.pop()}${token}`);
  return parts.map((part) => part.trim());
}

function comparisonOf(text: string): Comparison | undefined {
  const [, path = '', operator = '', value = ''] = COMPARISON.exec(text) ?? [];
  if (path === '') return undefined;
  return { path, operator: operator as Operator, value: value.startsWith('"') ? String(JSON.parse(value)) : value };
}

function conditionText({ path, operator, value }: Comparison): string {
  return operator === '==' ? TEXT.attribute(path, value) : TEXT.comparison(path, TEXT.operators[operator], value);
}
