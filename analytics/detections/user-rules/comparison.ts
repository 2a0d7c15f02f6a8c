import type { U64 } from '#schemas/events/event.ts';
import type { EventField, FieldValue, JudgedEvent } from './event-fields.ts';
import { MAX_COMPARED_TEXT } from './limits.ts';
import { compileRegex, type RegexNode } from './linear-regex.ts';

/** A test of a field against one value of a rule. */
export type Test =
  | { readonly op: 'equals' | 'startswith' | 'endswith' | 'contains'; readonly text: string; readonly cased: boolean }
  | { readonly op: 'regex'; readonly node: RegexNode; readonly states: number }
  | { readonly op: 'number'; readonly sign: '=' | '<' | '<=' | '>' | '>='; readonly value: bigint }
  | { readonly op: 'boolean'; readonly value: boolean }
  | { readonly op: 'null' }
  | { readonly op: 'exists' };

/** A field and its tests, of which one or all must match. */
export interface Comparison {
  readonly field: EventField;
  readonly tests: readonly Test[];
  readonly all: boolean;
}

export type Expression =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'compare'; readonly comparison: Comparison };

export type Predicate = (event: JudgedEvent) => boolean;

/** Compiles an expression to a function of the event. */
export function compileExpression(expression: Expression, maxStates: number): Predicate {
  if (expression.kind === 'not') {
    const inner = compileExpression(expression.of, maxStates);
    return (event) => !inner(event);
  }
  if (expression.kind === 'compare') return compileComparison(expression.comparison, maxStates);
  const parts = expression.of.map((part) => compileExpression(part, maxStates));
  if (parts.length === 1) return parts[0] as Predicate;
  return expression.kind === 'and'
    ? (event) => {
        for (const part of parts) if (!part(event)) return false;
        return true;
      }
    : (event) => {
        for (const part of parts) if (part(event)) return true;
        return false;
      };
}

function compileComparison({ field, tests, all }: Comparison, maxStates: number): Predicate {
  const exact = all ? undefined : exactTexts(tests);
  if (exact !== undefined) {
    return (event) => {
      const value = field.read(event);
      return (
        typeof value === 'string' &&
        (exact.cased.has(value) || (exact.folded.size > 0 && exact.folded.has(folded(value))))
      );
    };
  }
  const checks = tests.map((test) => compileTest(test, maxStates));
  return all
    ? (event) => {
        const value = field.read(event);
        for (const check of checks) if (!check(value)) return false;
        return true;
      }
    : (event) => {
        const value = field.read(event);
        for (const check of checks) if (check(value)) return true;
        return false;
      };
}

/** Returns lookup sets if all tests compare whole strings. A set lookup is faster than a loop. */
function exactTexts(tests: readonly Test[]): { cased: ReadonlySet<string>; folded: ReadonlySet<string> } | undefined {
  const cased = new Set<string>();
  const ignoring = new Set<string>();
  for (const test of tests) {
    if (test.op !== 'equals') return undefined;
    if (test.cased) cased.add(test.text);
    else ignoring.add(folded(test.text));
  }
  return { cased, folded: ignoring };
}

function compileTest(test: Test, maxStates: number): (value: FieldValue) => boolean {
  switch (test.op) {
    case 'null':
      return (value) => value === null;
    case 'exists':
      return (value) => value !== null;
    case 'boolean':
      return (value) => value === test.value;
    case 'number':
      return numberTest(test.sign, test.value);
    case 'regex': {
      const regex = compileRegex(test.node, maxStates);
      return (value) => typeof value === 'string' && regex.test(value);
    }
    default: {
      const { op, cased } = test;
      const text = cased ? test.text : folded(test.text);
      return (value) => {
        if (typeof value !== 'string') return false;
        const cut = value.length > MAX_COMPARED_TEXT ? value.slice(0, MAX_COMPARED_TEXT) : value;
        const compared = cased ? cut : folded(cut);
        if (op === 'equals') return compared === text && cut.length === value.length;
        if (op === 'startswith') return compared.startsWith(text);
        return op === 'endswith' ? compared.endsWith(text) : compared.includes(text);
      };
    }
  }
}

/** Compares exactly in all 64 bits. A field is a number if that is exact, else a bigint. */
function numberTest(sign: '=' | '<' | '<=' | '>' | '>=', value: bigint): (value: FieldValue) => boolean {
  const limit: U64 = value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  const isNumber = (found: FieldValue): found is U64 => typeof found === 'number' || typeof found === 'bigint';
  switch (sign) {
    case '=':
      return (found) => found === limit;
    case '<':
      return (found) => isNumber(found) && found < limit;
    case '<=':
      return (found) => isNumber(found) && found <= limit;
    case '>':
      return (found) => isNumber(found) && found > limit;
    case '>=':
      return (found) => isNumber(found) && found >= limit;
  }
}

const ASCII_ONLY = /^[\0-\x7f]*$/;

/** Converts upper-case ASCII letters to lower case, as ClickHouse's `lower` does. Leaves other letters unchanged. */
export function folded(text: string): string {
  return ASCII_ONLY.test(text) ? text.toLowerCase() : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
