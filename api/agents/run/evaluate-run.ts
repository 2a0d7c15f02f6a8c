import type { JsonValue } from '#api/executions/json-value.ts';
import { type Comparison, type Difference, differences, MAX_DIFFERENCES } from '../compare.ts';
import type { CheckResult } from '../evaluation/checks.ts';
import { SchemaBroken, type SchemaCheck } from '../schema-check.ts';
import type { NamedContent } from '../tables/agent-files.ts';

/** Result of the comparison of a run with the expectation of its example. */
export interface Evaluation {
  /** Null if nothing failed, but a check was not evaluated. */
  readonly passed: boolean | null;
  readonly comparison: Comparison;
  readonly differences: readonly Difference[];
  readonly checks?: readonly CheckResult[];
}

export interface Expectation {
  readonly comparison: Comparison;
  /** Null if the output has no expectation. */
  readonly expected: JsonValue | null;
  readonly files: readonly Pick<NamedContent, 'path' | 'contentHash'>[];
}

/** Compares the output and files of a run with the expectation. A failed run passes nothing. */
export async function evaluateRun(
  schemas: Pick<SchemaCheck, 'check'>,
  { comparison, expected, files }: Expectation,
  outcome:
    | { readonly output: JsonValue; readonly files: readonly Pick<NamedContent, 'path' | 'contentHash'>[] }
    | { readonly error: string },
  account?: string,
): Promise<Evaluation> {
  const verdict = (found: readonly Difference[]): Evaluation => ({
    passed: found.length === 0,
    comparison,
    differences: found.slice(0, MAX_DIFFERENCES),
  });
  if ('error' in outcome) return verdict([{ path: '/', message: `the run failed: ${outcome.error}` }]);
  const ofFiles = files.flatMap(({ path, contentHash }) => {
    const made = outcome.files.find((file) => file.path === path);
    const message = made === undefined ? 'this file is expected, and was not made' : 'this file has another content';
    return made?.contentHash === contentHash ? [] : [{ path, message }];
  });
  if (expected === null) return verdict(ofFiles);
  const ofOutput =
    comparison === 'schema'
      ? await ofSchema(schemas, expected, outcome.output, account)
      : differences(expected, outcome.output, comparison);
  return verdict([...ofOutput, ...ofFiles]);
}

async function ofSchema(
  schemas: Pick<SchemaCheck, 'check'>,
  schema: JsonValue,
  output: JsonValue,
  account: string | undefined,
): Promise<readonly Difference[]> {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return [{ path: '/', message: 'the expected value is not a JSON Schema' }];
  try {
    const verdict = await schemas.check(schema, output, account);
    return verdict.valid ? [] : verdict.problems.map(({ path, message }) => ({ path, message }));
  } catch (error) {
    if (!(error instanceof SchemaBroken)) throw error;
    return [{ path: '/', message: `the expected JSON Schema cannot be used: ${error.message}` }];
  }
}
