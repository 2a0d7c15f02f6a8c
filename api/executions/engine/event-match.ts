import type { Evaluate } from '../expressions/evaluate.ts';
import { equalJson } from '../expressions/fast-path.ts';
import { bareExpression, parseTemplate } from '../expressions/parse-template.ts';
import type { Schemas } from '../json-schema/schemas.ts';
import type { JsonValue } from '../json-value.ts';
import type { CloudEvent, EventFilter } from './contract/cloud-event.ts';

export interface MatchDeps {
  readonly evaluate: Evaluate;
  /** If undefined, filters with regular expressions are unavailable. */
  readonly schemas: Pick<Schemas, 'matches'> | undefined;
  /** Key of the account that owns the filter. */
  readonly owner?: string | undefined;
}

/**
 * Tests an event against a filter. Returns undefined if it does not match. Otherwise returns the values of correlations
 * without an expectation, which the first event fixes.
 *
 * - Attributes match by equality. A string also matches as a regular expression for the whole value. A missing
 *   attribute does not match.
 * - `data`: an object matches if each of its members matches. An expression must be true for the data of the event.
 * - Correlations: `from` is evaluated on the event. The value must equal `expect` or, without `expect`, the value of
 *   the first event (`learned`). If the expression fails on an event, the event does not match.
 */
export async function matchEvent(
  filter: EventFilter,
  event: CloudEvent,
  learned: Readonly<Record<string, JsonValue>>,
  deps: MatchDeps,
  variables: Readonly<Record<string, JsonValue>> = {},
): Promise<Readonly<Record<string, JsonValue>> | undefined> {
  const ask = (expression: string, on: JsonValue): Promise<JsonValue> =>
    deps.evaluate(bareExpression(expression), on, variables);
  const passes = async (expected: JsonValue, actual: JsonValue | undefined): Promise<boolean> => {
    if (typeof expected === 'string' && parseTemplate(expected).kind === 'expression') {
      const value = await ask(expected, actual ?? null);
      // An expression is either a condition on the value, or yields the expected value.
      return typeof value === 'boolean' && typeof actual !== 'boolean' ? value : equalJson(value, actual ?? null);
    }
    if (typeof expected === 'object' && expected !== null && !Array.isArray(expected)) {
      if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return false;
      for (const [name, inner] of Object.entries(expected)) {
        const member = Object.hasOwn(actual, name)
          ? (actual as { readonly [name: string]: JsonValue })[name]
          : undefined;
        if (!(await passes(inner, member))) return false;
      }
      return true;
    }
    if (actual === undefined) return false;
    if (equalJson(expected, actual)) return true;
    return typeof expected === 'string' && typeof actual === 'string' && matchesPattern(deps, expected, actual);
  };
  try {
    for (const [name, expected] of Object.entries(filter.with))
      if (!(await passes(expected, event[name]))) return undefined;
    const found: Record<string, JsonValue> = {};
    for (const [name, { from, expect }] of Object.entries(filter.correlate)) {
      const value = await ask(from, event as JsonValue);
      const wanted = expect ?? (Object.hasOwn(learned, name) ? learned[name] : undefined);
      if (wanted === undefined) found[name] = value;
      else if (!equalJson(wanted, value)) return undefined;
    }
    return found;
  } catch (error) {
    if (error instanceof Error && error.name === 'ExpressionError') return undefined;
    throw error;
  }
}

/**
 * A string without these characters is compared literally. A dot alone does not make a pattern, because every event
 * type has dots.
 */
const SIGNS = /[*+?[\](){}|^$\\]/;

async function matchesPattern({ schemas, owner }: MatchDeps, expected: string, actual: string): Promise<boolean> {
  if (!SIGNS.test(expected)) return false;
  if (schemas === undefined) throw new Error('regular expressions need the schema checks of the process');
  return schemas.matches(expected, actual, owner);
}
