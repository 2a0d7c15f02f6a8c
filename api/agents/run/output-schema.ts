import type { JsonValue } from '#api/executions/json-value.ts';
import { OUTPUT_SCHEMA_FILE } from '../agent-config.ts';
import { SchemaBroken, type SchemaCheck } from '../schema-check.ts';
import type { ReadRun } from './read-run.ts';
import type { RunFiles } from './run-files.ts';

/**
 * Returns the JSON Schema of the output of an agent: from its configuration, otherwise from its workspace file. Returns
 * undefined if there is neither. An invalid schema file is reported to `issue`.
 */
export async function readOutputSchema(
  run: ReadRun,
  files: RunFiles,
  issue: (text: string) => void,
): Promise<object | undefined> {
  if (run.config.outputSchema !== undefined) return run.config.outputSchema;
  if (!files.list('workspace').some(({ path }) => path === OUTPUT_SCHEMA_FILE)) return undefined;
  const { bytes } = await files.read('workspace', OUTPUT_SCHEMA_FILE);
  try {
    const schema: unknown = JSON.parse(bytes.toString());
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) return schema;
  } catch {
    // Reported below.
  }
  issue(`${OUTPUT_SCHEMA_FILE} is no JSON Schema; the output was not checked`);
  return undefined;
}

/** Returns whether the output matches the schema; null if it was not checked. Reports each difference to `issue`. */
export async function matchesSchema(
  schemas: SchemaCheck,
  schema: object | undefined,
  output: JsonValue,
  { issue, account }: { readonly issue: (text: string) => void; readonly account: string | undefined },
): Promise<boolean | null> {
  if (schema === undefined) return null;
  try {
    const verdict = await schemas.check(schema as JsonValue, output, account);
    if (verdict.valid) return true;
    for (const { path, message } of verdict.problems) issue(`output ${path}: ${message}`);
    return false;
  } catch (error) {
    if (!(error instanceof SchemaBroken)) throw error;
    issue(`the output schema can't be used: ${error.message}`);
    return null;
  }
}
