import { SchemaBroken } from '../../json-schema/schemas.ts';
import type { JsonValue } from '../../json-value.ts';
import { fault } from './faults.ts';
import type { Run } from './frames.ts';
import { get, isObject } from './json.ts';

/**
 * Validates a value against the `schema` of an input, output or export. Throws the validation error of the language.
 */
export async function checkSchema(
  { schemas, context }: Pick<Run, 'schemas' | 'context'>,
  schema: JsonValue | undefined,
  value: JsonValue,
  what: string,
  path: string,
): Promise<void> {
  const document = get(schema, 'document');
  if (document === undefined && get(schema, 'resource') !== undefined)
    throw fault('configuration', `the schema of ${what} was not fetched when the workflow was released`, path);
  if (!isObject(document)) return;
  if (schemas === undefined) throw new Error('this interpreter was created without schema checks');
  const verdict = await schemas.check(document, value, context.owner).catch((error: unknown) => {
    if (!(error instanceof SchemaBroken)) throw error;
    if (error.ofValue) throw fault('validation', `${what}: ${error.message}`, path);
    throw fault('configuration', `the schema of ${what}: ${error.message}`, path);
  });
  if (verdict.valid) return;
  const [first] = verdict.problems;
  const place = first === undefined || first.path === '/' ? '' : first.path;
  throw fault('validation', `${what}${place} ${first?.message ?? 'is not valid'}`, path);
}
