import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type ExactFields, exactFieldsOf } from '../json/exact-fields.ts';
import type { InternalEvent } from './event.ts';
import { readTimestamp } from './timestamp.ts';
import type { EventVersion } from './version.ts';

/** An event version with its compiled validator. */
export interface CompiledVersion {
  readonly version: string;
  readonly schema: object;
  /** The positions of the 64-bit integer fields in the schema. */
  readonly exactFields: ExactFields;
  /**
   * Validates a parsed event and returns the first violation. Does not coerce values, apply defaults or remove fields.
   */
  check(data: unknown): CheckResult;
  /** Converts an event that passed `check` to the internal event. */
  upcast(event: object): InternalEvent;
  /** True if events of this version already have the internal shape. `upcast` then returns them unchanged. */
  readonly isInternal: boolean;
}

export type CheckResult =
  /** `inexact`: a 64-bit field may differ from its digits in the source text, because it is above 2^53 - 1 or is -0. */
  { readonly valid: true; readonly inexact: boolean } | { readonly valid: false; readonly error: ErrorObject };

const VALID_EXACT: CheckResult = { valid: true, inexact: false };
const VALID_INEXACT: CheckResult = { valid: true, inexact: true };

/**
 * Compiles the schema once. Throws if ajv rejects the schema: an invalid schema then fails at start, not at the first
 * event.
 */
export function compileVersion(version: EventVersion): CompiledVersion {
  // Set by the `uint64` format inside the generated validator. A separate pass over each event would cost half as much
  // as JSON.parse.
  let inexact = false;
  const ajv = new Ajv2020({
    strict: true,
    // Members that a `oneOf` requires are declared in `properties` next to the `oneOf`.
    strictRequired: false,
    allowUnionTypes: true,
    discriminator: true,
    allErrors: false,
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    messages: false,
    // A test validates our schemas against the meta-schema. Doing it here would double the start time of every command.
    meta: false,
    validateSchema: false,
    formats: {
      'date-time': (text: string) => typeof readTimestamp(text) !== 'string',
      uint64: {
        type: 'number',
        validate: (value: number) => {
          if (value > Number.MAX_SAFE_INTEGER || Object.is(value, -0)) inexact = true;
          return true;
        },
      },
    },
  });
  const validate = ajv.compile(version.schema);
  return {
    version: version.version,
    schema: version.schema,
    exactFields: exactFieldsOf(version.schema),
    isInternal: version.upcast === undefined,
    upcast: (event) => version.upcast?.(event) ?? (event as InternalEvent),
    check(data) {
      inexact = false;
      if (validate(data)) return inexact ? VALID_INEXACT : VALID_EXACT;
      // ajv appends the error of a failed `oneOf` after the errors of its branches. For any other violation there is
      // only one error.
      const error = validate.errors?.at(-1);
      if (!error) throw new Error('the validator rejected an event without an error');
      return { valid: false, error };
    },
  };
}
