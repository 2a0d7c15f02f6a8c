import type { JsonValue } from '#api/executions/json-value.ts';
import { apiError } from '#api/http/api-error.ts';
import { readConfig } from './agent-config.ts';
import { SchemaBroken, type SchemaCheck } from './schema-check.ts';

/** Validates an input against the schema of a configuration. Rejects with `ApiError`. `account`: see `Schemas`. */
export async function checkInput(
  schemas: Pick<SchemaCheck, 'check'>,
  config: Record<string, unknown>,
  input: JsonValue,
  account?: string,
): Promise<void> {
  const { inputSchema } = readConfig(config);
  if (inputSchema === undefined) return;
  const verdict = await schemas.check(inputSchema as JsonValue, input, account).catch((error: unknown) => {
    if (error instanceof SchemaBroken)
      throw apiError('invalid_value', `the input cannot be checked against the input schema: ${error.message}`);
    throw error;
  });
  if (verdict.valid) return;
  const [first] = verdict.problems;
  const place = first === undefined || first.path === '/' ? 'input' : `input${first.path.replaceAll('/', '.')}`;
  throw apiError('invalid_value', first?.message ?? 'does not fit the input schema', place);
}
