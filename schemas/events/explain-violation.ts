import type { ErrorObject } from 'ajv/dist/2020.js';
import { memberStep, pathOfPointer, valueAtPointer } from '../json/path.ts';
import type { Rejection } from './accepted.ts';
import { reject } from './reject.ts';
import { readTimestamp } from './timestamp.ts';

/** Returns the rejection code and the JSON path for a validation error. Runs for rejected events only. */
export function explainViolation(event: unknown, error: ErrorObject): Rejection {
  const path = pathOfPointer(event, error.instancePath);
  const value = valueAtPointer(event, error.instancePath);
  switch (error.keyword) {
    case 'required':
      return missing(path, String(error.params.missingProperty));
    case 'type':
      return wrongType(path, value, error.params.type as string | string[]);
    case 'enum':
      if (typeof value !== 'string') return reject('wrong_type', path, 'expected string');
      return reject('not_in_enumeration', path, `one of ${(error.params.allowedValues as string[]).join(', ')}`);
    case 'minimum':
      return reject('negative_integer', path);
    case 'format':
      return badTimestamp(path, value);
    case 'const':
      // A wrong `type` fails at the discriminator, so this constant is the version of an enclosed event.
      return typeof value === 'string' ? reject('version_unknown', path) : reject('version_not_a_string', path);
    case 'discriminator':
      return badDiscriminator(path, value, String(error.params.tag));
    case 'oneOf':
      // ajv checks `oneOf` before `type`, so the value may not be an object.
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrongType(path, value, 'object');
      return reject('ambiguous_justification', path, 'FullEvents, RegisterValues or EventCount');
    default:
      throw new Error(`no rejection code for the schema keyword ${error.keyword}`);
  }
}

function missing(path: string, name: string): Rejection {
  return reject(name === 'version' ? 'version_missing' : 'field_missing', path + memberStep(name));
}

function wrongType(path: string, value: unknown, expected: string | string[]): Rejection {
  const types = Array.isArray(expected) ? expected : [expected];
  if (typeof value === 'number' && types.includes('integer')) {
    // A parsed double is infinite only if the number in the source exceeds 10^308.
    if (value === Number.POSITIVE_INFINITY) return reject('integer_out_of_range', path);
    if (value === Number.NEGATIVE_INFINITY) return reject('negative_integer', path);
    return reject('not_an_integer', path);
  }
  return reject('wrong_type', path, `expected ${types.join(' or ')}`);
}

function badTimestamp(path: string, value: unknown): Rejection {
  const outOfRange = typeof value === 'string' && readTimestamp(value) === 'out_of_range';
  return reject(outOfRange ? 'timestamp_out_of_range' : 'invalid_timestamp', path);
}

function badDiscriminator(path: string, value: unknown, tag: string): Rejection {
  const holder = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  if (!Object.hasOwn(holder, tag)) return missing(path, tag);
  if (typeof holder[tag] !== 'string') return reject('wrong_type', path + memberStep(tag), 'expected string');
  return reject('unknown_variant', path + memberStep(tag));
}
