import { compileText } from '#analytics/detections/user-rules/linear-regex.ts';
import type { EvaluateFor } from '#api/executions/expressions/evaluate.ts';
import { ExpressionError } from '#api/executions/expressions/expression-error.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { differences } from '../compare.ts';
import { matchesPattern } from '../permissions/text-pattern.ts';
import { SchemaBroken, type SchemaCheck } from '../schema-check.ts';
import type { RuleCheck } from './checks.ts';

/** A run that ended with an output. */
export interface CheckedRun {
  readonly input: JsonValue;
  readonly output: JsonValue;
  readonly expected: JsonValue | null;
  readonly cost: Readonly<Record<string, number>>;
  /** Names of the called tools, one per completed call. */
  readonly tools: readonly string[];
}

export interface RuleDeps {
  readonly schemas: Pick<SchemaCheck, 'check'>;
  /** If undefined, jq is unavailable. */
  readonly evaluate: EvaluateFor | undefined;
  readonly account: string | undefined;
}

interface Verdict {
  readonly passed: boolean;
  readonly message: string;
}

/** Bounds the time of an expression on a large output. */
export const MAX_STATES = 5_000;
const MAX_TEXT = 1_000_000;

/** Evaluates a check that needs no model. A check that cannot be evaluated fails, with the reason in its message. */
export async function checkRule(check: RuleCheck, run: CheckedRun, deps: RuleDeps): Promise<Verdict> {
  switch (check.type) {
    case 'exact':
      return ofDifferences(differences(check.value as JsonValue, valueAt(run.output, check.at) ?? null, 'exact'));
    case 'contains': {
      const fold = (text: string) => (check.ignoreCase === true ? text.toLowerCase() : text);
      const found = fold(textOf(valueAt(run.output, check.at))).includes(fold(check.text));
      return verdict(found, `${JSON.stringify(check.text)} is not in the output`);
    }
    case 'regex':
      return ofRegex(check.pattern, textOf(valueAt(run.output, check.at)));
    case 'json-schema':
      return ofSchema(check.schema as JsonValue, valueAt(run.output, check.at) ?? null, deps);
    case 'jq':
      return ofExpression(check.expression, run, deps);
    case 'tool-called':
    case 'tool-not-called':
      return ofCalls(check, run.tools);
    case 'max-duration':
      return ofLimit('ms', run.cost.durationMs, check.ms);
    case 'max-tokens':
      return ofLimit(
        'tokens',
        run.cost.unreportedSteps === undefined ? (run.cost.totalTokens ?? 0) : undefined,
        check.tokens,
      );
    case 'max-credits':
      return ofLimit('credits', run.cost.credits, check.credits);
  }
}

/** Returns the value at a JSON pointer; undefined if it does not exist. */
export function valueAt(value: JsonValue, pointer = ''): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as { readonly [name: string]: JsonValue })[key];
  }
  return found;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function verdict(passed: boolean, otherwise: string): Verdict {
  return { passed, message: passed ? '' : otherwise };
}

function ofDifferences([first]: readonly { readonly path: string; readonly message: string }[]): Verdict {
  return verdict(
    first === undefined,
    first === undefined ? '' : first.path === '/' ? first.message : `${first.path}: ${first.message}`,
  );
}

function ofRegex(pattern: string, text: string): Verdict {
  try {
    return verdict(compileText(pattern, MAX_STATES).test(text.slice(0, MAX_TEXT)), 'the expression matches nothing');
  } catch (error) {
    return verdict(false, `the expression cannot be used: ${error instanceof Error ? error.message : 'unknown'}`);
  }
}

async function ofSchema(schema: JsonValue, value: JsonValue, { schemas, account }: RuleDeps): Promise<Verdict> {
  try {
    const found = await schemas.check(schema, value, account);
    const [first] = found.valid ? [] : found.problems;
    return verdict(found.valid, `${first?.path ?? '/'}: ${first?.message ?? 'does not match the schema'}`);
  } catch (error) {
    if (!(error instanceof SchemaBroken)) throw error;
    return verdict(false, `the schema cannot be used: ${error.message}`);
  }
}

async function ofExpression(expression: string, run: CheckedRun, { evaluate, account }: RuleDeps): Promise<Verdict> {
  if (evaluate === undefined) return verdict(false, 'no expressions are evaluated here');
  try {
    const value = await evaluate(expression, { ...run, tools: [...run.tools] }, {}, account);
    return verdict(value === true, `the expression gives ${textOf(value).slice(0, 200)}, not true`);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return verdict(false, `the expression fails: ${error.message.slice(0, 300)}`);
  }
}

function ofCalls(check: Extract<RuleCheck, { tool: string }>, tools: readonly string[]): Verdict {
  const calls = tools.filter((name) => matchesPattern(check.tool, name)).length;
  if (check.type === 'tool-not-called') return verdict(calls === 0, `${check.tool} was called ${calls} times`);
  const { atLeast = 1, atMost = Number.POSITIVE_INFINITY } = check;
  return verdict(calls >= atLeast && calls <= atMost, `${check.tool} was called ${calls} times`);
}

function ofLimit(unit: string, used: number | undefined, most: number): Verdict {
  if (used === undefined) return verdict(false, `how many ${unit} the run used is unknown`);
  return verdict(used <= most, `the run used ${used} ${unit}, more than ${most}`);
}
