import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type ExactFields, exactFieldsOf } from '../json/exact-fields.ts';
import type { InternalEvent } from './event.ts';
import { readTimestamp } from './timestamp.ts';
import type { EventVersion } from './version.ts';

/** A version of the format, ready for traffic. */
export interface CompiledVersion {
  readonly version: string;
  readonly schema: object;
  /** Where its 64-bit fields lie. */
  readonly exactFields: ExactFields;
  /** Checks a parsed event; the error is the first violation. Nothing is coerced, defaulted or removed. */
  check(data: unknown): CheckResult;
  /** An event that `check` accepted, as the internal event. */
  upcast(event: object): InternalEvent;
  /** Its events have the internal shape: `upcast` returns them as they are. */
  readonly isInternal: boolean;
}

export type CheckResult =
  /** `inexact`: a 64-bit field holds what its source digits may differ from (above 2^53 - 1, or -0). */
  { readonly valid: true; readonly inexact: boolean } | { readonly valid: false; readonly error: ErrorObject };

const VALID_EXACT: CheckResult = { valid: true, inexact: false };
const VALID_INEXACT: CheckResult = { valid: true, inexact: true };

/** Compiles the schema once. Throws when ajv does not accept it, so that a wrong schema stops the start and no event. */
export function compileVersion(version: EventVersion): CompiledVersion {
  // The 64-bit check runs inside the generated validator, at the fields themselves, and leaves its answer here:
  // a second walk over every event would cost as much as half a JSON.parse.
  let inexact = false;
  const ajv = new Ajv2020({
    strict: true,
    // The members that a `oneOf` requires are typed next to it.
    strictRequired: false,
    allowUnionTypes: true,
    discriminator: true,
    allErrors: false,
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    messages: false,
    // Checking our own schemas against the meta-schema is a test's work: here it would double the start of every command.
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
      // A failed `oneOf` comes after the failures of its branches; every other violation stands alone.
      const error = validate.errors?.at(-1);
      if (!error) throw new Error('the validator refused an event and gave no error');
      return { valid: false, error };
    },
  };
}
