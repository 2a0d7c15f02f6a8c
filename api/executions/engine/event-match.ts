import { equalJson } from '../expressions/fast-path.ts';
import { bareExpression, parseTemplate } from '../expressions/parse-template.ts';
import type { Schemas } from '../json-schema/schemas.ts';
import type { JsonValue } from '../json-value.ts';
import type { CloudEvent, Evaluate, EventFilter } from './port.ts';

export interface MatchDeps {
  readonly evaluate: Evaluate;
  /** Undefined: filters with regular expressions cannot be used. */
  readonly schemas: Pick<Schemas, 'matches'> | undefined;
  /** The account that the filter belongs to. */
  readonly owner?: string | undefined;
}

/**
 * Whether an event passes a filter; gives what the event taught about correlations that had no expectation yet, or undefined when it does not pass.
 *
 * - Attributes match by equality; texts also as a regular expression for the whole value. An attribute the event lacks does not match.
 * - `data`: an object matches when each of its members does; an expression must be true of the event's data.
 * - Correlations: `from` is evaluated on the event. It must equal `expect`, or, without one, what the first event gave (`learned`).
 * An expression that fails on an event means that the event does not pass.
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
      // An expression is a condition on the value, or says what the value must be.
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

/** Text without these is only compared: a dot alone, as in every event type, is no sign of a pattern. */
const SIGNS = /[*+?[\](){}|^$\\]/;

async function matchesPattern({ schemas, owner }: MatchDeps, expected: string, actual: string): Promise<boolean> {
  if (!SIGNS.test(expected)) return false;
  if (schemas === undefined) throw new Error('regular expressions need the schema checks of the process');
  return schemas.matches(expected, actual, owner);
}
