import type { ErrorObject, ValidateFunction } from 'ajv';
import type { JsonValue } from '../json-value.ts';

/** Where a value is not as a schema says, as a JSON pointer (`/` for the value itself), and how. */
export interface SchemaViolation {
  readonly path: string;
  readonly message: string;
}

export type SchemaVerdict =
  | { readonly valid: true }
  | { readonly valid: false; readonly problems: readonly SchemaViolation[] };

const MAX_PROBLEMS = 20;

export function verdictOf(validate: ValidateFunction, value: JsonValue): SchemaVerdict {
  if (validate(value)) return { valid: true };
  return { valid: false, problems: (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(violationOf) };
}

function violationOf({ instancePath, message, params }: ErrorObject): SchemaViolation {
  const extra = 'additionalProperty' in params ? ` (${String(params.additionalProperty).slice(0, 100)})` : '';
  return { path: instancePath === '' ? '/' : instancePath, message: `${message ?? 'does not fit'}${extra}` };
}
