import type { ErrorObject, ValidateFunction } from 'ajv';
import type { JsonValue } from '../json-value.ts';

/** A violation of a schema: JSON pointer of the value (`/` for the root), and description. */
export interface SchemaViolation {
  readonly path: string;
  readonly message: string;
}

export type SchemaVerdict =
  | { readonly valid: true }
  | { readonly valid: false; readonly problems: readonly SchemaViolation[] };

const MAX_PROBLEMS = 20;

/**
 * Throws if the check itself fails: the schema or the value overflows the stack, or a pattern is too large for the
 * engine.
 */
export function verdictOf(validate: ValidateFunction, value: JsonValue): SchemaVerdict {
  if (isValid(validate, value)) return { valid: true };
  return { valid: false, problems: (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(violationOf) };
}

function isValid(validate: ValidateFunction, value: JsonValue): boolean {
  try {
    return validate(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Error('the value cannot be checked: the schema nests too deep or has too many alternatives', {
      cause: error,
    });
  }
}

function violationOf({ instancePath, message, params }: ErrorObject): SchemaViolation {
  const extra = 'additionalProperty' in params ? ` (${String(params.additionalProperty).slice(0, 100)})` : '';
  return { path: instancePath === '' ? '/' : instancePath, message: `${message ?? 'does not fit'}${extra}` };
}
