import { compileText } from '#analytics/detections/user-rules/linear-regex.ts';
import type { EvaluateFor } from '#api/executions/expressions/evaluate.ts';
import { ExpressionError, ExpressionsBusyError } from '#api/executions/expressions/expression-error.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { apiError } from '#api/http/api-error.ts';
import { SchemaBroken, type SchemaCheck } from '../schema-check.ts';
import { MAX_STATES } from './check-rule.ts';
import type { Check } from './checks.ts';

/** Tools to try the expressions and schemas of checks. */
export interface CheckTools {
  readonly schemas: Pick<SchemaCheck, 'compile'>;
  readonly evaluate: EvaluateFor;
}

/**
 * Rejects checks that no run can pass because their expression or schema is invalid. Rejects with `ApiError`.
 * `account`: the account to charge in fair scheduling.
 */
export async function requireUsableChecks(
  checks: readonly Check[],
  { schemas, evaluate }: CheckTools,
  account: string | undefined,
): Promise<void> {
  for (const [index, check] of checks.entries()) {
    const refuse = (member: string, problem: string) => {
      throw apiError('invalid_value', problem, `checks.${index}.${member}`);
    };
    if (check.type === 'regex') {
      const problem = problemOfPattern(check.pattern);
      if (problem !== undefined) refuse('pattern', `this is not a regular expression of RE2: ${problem}`);
    }
    if (check.type === 'json-schema')
      await schemas.compile(check.schema as JsonValue, account).catch((error: unknown) => {
        if (!(error instanceof SchemaBroken)) throw error;
        refuse('schema', `this JSON Schema cannot be used: ${error.message}`);
      });
    if (check.type === 'jq')
      // Compiled but not run, because the expression may need a real output.
      await evaluate(`if true then null else (\n${check.expression}\n) end`, null, {}, account).catch(
        (error: unknown) => {
          if (error instanceof ExpressionsBusyError) throw busy(error);
          if (!(error instanceof ExpressionError)) throw error;
          refuse('expression', `this is not a jq expression: ${error.message.slice(0, 300)}`);
        },
      );
  }
}

function busy({ message }: ExpressionsBusyError) {
  return apiError('rate_limited', message, undefined, { 'retry-after': '5' });
}

function problemOfPattern(pattern: string): string | undefined {
  try {
    compileText(pattern, MAX_STATES);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
