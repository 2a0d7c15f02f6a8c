import type { JsonValue } from '../json-value.ts';

/**
 * Evaluates a jq expression within limits on time and size. Rejects with an expression error. Pure: the same arguments
 * return the same value.
 */
export type Evaluate = (
  expression: string,
  input: JsonValue,
  variables: Readonly<Record<string, JsonValue>>,
) => Promise<JsonValue>;

/**
 * `Evaluate` with an account. An evaluator instance never serves two accounts, so data in its memory cannot leak
 * between them.
 */
export type EvaluateFor = (...given: [...Parameters<Evaluate>, account?: string | undefined]) => Promise<JsonValue>;
