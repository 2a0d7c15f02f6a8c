import type { Expression } from './comparison.ts';
import { MAX_CONDITION, MAX_CONDITION_DEPTH, MAX_CONDITION_TERMS } from './limits.ts';
import { type Located, refuse } from './located-yaml.ts';

/**
 * Parses the condition of a rule over its selections: `and`, `or`, `not`, parentheses, `1 of`, `all of`. Throws
 * `RefusedRule`.
 */
export function readCondition(at: Located, selections: ReadonlyMap<string, Expression>): Expression {
  if (Array.isArray(at.value)) refuse(at, 'a list of conditions is not supported: join them with or');
  if (typeof at.value !== 'string') refuse(at, 'must be a text such as `selection and not filter`');
  const text = at.value as string;
  if (text.length > MAX_CONDITION) refuse(at, `${text.length} characters, at most ${MAX_CONDITION}`);
  if (text.includes('|')) refuse(at, 'aggregations after `|` are not supported: write a correlation rule');
  const tokens = text.match(/[()]|[^\s()]+/g) ?? [];
  let next = 0;
  let depth = 0;
  let terms = 0;

  const word = (): string => (tokens[next] ?? '').toLowerCase();

  function either(): Expression {
    depth += 1;
    if (depth > MAX_CONDITION_DEPTH) refuse(at, `parentheses are nested deeper than ${MAX_CONDITION_DEPTH} levels`);
    const of = [both()];
    while (word() === 'or') {
      next += 1;
      of.push(both());
    }
    depth -= 1;
    return of.length === 1 ? (of[0] as Expression) : { kind: 'or', of };
  }

  function both(): Expression {
    const of = [operand()];
    while (word() === 'and') {
      next += 1;
      of.push(operand());
    }
    return of.length === 1 ? (of[0] as Expression) : { kind: 'and', of };
  }

  function operand(): Expression {
    let negations = 0;
    for (; word() === 'not'; next += 1) negations += 1;
    const inner = primary();
    return negations % 2 === 1 ? { kind: 'not', of: inner } : inner;
  }

  function primary(): Expression {
    const token = tokens[next];
    if (token === undefined) refuse(at, 'ends where a selection is expected');
    next += 1;
    if (token === '(') {
      const inner = either();
      if (tokens[next] !== ')') refuse(at, 'a parenthesis is not closed');
      next += 1;
      return inner;
    }
    if (word() === 'of') return quantified(token as string);
    return named(token as string);
  }

  /** Parses `1 of selection_*` or `all of them`. */
  function quantified(count: string): Expression {
    const kind = count.toLowerCase() === 'all' ? 'and' : count === '1' ? 'or' : undefined;
    if (kind === undefined) refuse(at, `\`${count.slice(0, 40)} of\` is not supported: use \`1 of\` or \`all of\``);
    next += 1;
    const pattern = tokens[next];
    if (pattern === undefined || pattern === '(' || pattern === ')')
      refuse(at, `expected a name after \`${count} of\``);
    next += 1;
    const names = [...selections.keys()].filter((name) => namedBy(pattern as string, name));
    if (names.length === 0)
      refuse(at, `no selection is named like ${JSON.stringify((pattern as string).slice(0, 60))}`);
    return { kind: kind as 'and' | 'or', of: names.map(named) };
  }

  function named(name: string): Expression {
    terms += 1;
    if (terms > MAX_CONDITION_TERMS)
      refuse(at, `more than ${MAX_CONDITION_TERMS} selections, with those of \`1 of\` and \`all of\``);
    const found = selections.get(name);
    if (found === undefined) refuse(at, `there is no selection ${JSON.stringify(name.slice(0, 60))}`);
    return found as Expression;
  }

  const expression = either();
  if (next < tokens.length)
    refuse(at, `\`${(tokens[next] ?? '').slice(0, 40)}\` stands where \`and\` or \`or\` is expected`);
  return expression;
}

/**
 * Returns true if the pattern matches the name. `them` matches every selection whose name does not begin with an
 * underscore.
 */
function namedBy(pattern: string, name: string): boolean {
  if (pattern.toLowerCase() === 'them') return !name.startsWith('_');
  const star = pattern.indexOf('*');
  if (star < 0) return name === pattern;
  return (
    name.startsWith(pattern.slice(0, star)) &&
    name.endsWith(pattern.slice(star + 1)) &&
    name.length >= pattern.length - 1
  );
}
