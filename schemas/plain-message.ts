import { z } from 'zod';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
};
const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'an RFC 3339 date-time such as 2026-03-01T12:00:00Z',
  date: 'a date such as 2026-03-01',
  email: 'an email address',
  url: 'a URL',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  cidrv4: 'an IPv4 range such as 192.0.2.0/24',
  cidrv6: 'an IPv6 range such as 2001:db8::/32',
  base64: 'base64',
};
const UNITS: Readonly<Record<string, string>> = {
  string: 'characters',
  array: 'items',
  set: 'items',
  map: 'entries',
  object: 'fields',
};

export const REQUIRED = 'is required';

/** Makes all validation errors of this process plain sentences, unless a schema has its own message. */
export function usePlainMessages(): void {
  z.config({ customError: plainMessage });
}

/**
 * Describes the expected value. The message contains no jargon of the validation library, and not the value, which may
 * be secret.
 */
export function plainMessage(issue: RawIssue): string | undefined {
  if (isMissing(issue)) return REQUIRED;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return amount('at least', issue.minimum, issue.origin, issue.inclusive);
    case 'too_big':
      return amount('at most', issue.maximum, issue.origin, issue.inclusive);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return formatMessage(issue);
    case 'invalid_key':
      return 'the name of this field is not allowed';
    case 'invalid_union':
      return 'the value has none of the accepted forms';
    case 'unrecognized_keys':
      return `unknown ${issue.keys.length === 1 ? 'field' : 'fields'} ${issue.keys.join(', ')}`;
    default:
      return undefined; // the message of the library
  }
}

/** Returns true if the value is missing. An absent body is null. */
function isMissing({ code, input, path = [] }: RawIssue): boolean {
  if (code !== 'invalid_type' && code !== 'invalid_value' && code !== 'invalid_union') return false;
  return input === undefined || (input === null && path.length === 0);
}

function amount(bound: string, limit: number | bigint, origin: string, inclusive = true): string {
  const unit = UNITS[origin];
  if (unit !== undefined)
    return `must have ${bound} ${limit} ${limit === 1 ? unit.replace(/ies$/, 'y').replace(/s$/, '') : unit}`;
  if (inclusive) return `must be ${bound} ${limit}`;
  return `must be ${bound === 'at least' ? 'above' : 'below'} ${limit}`;
}

function formatMessage(issue: Extract<RawIssue, { code: 'invalid_format' }>): string {
  const format = FORMATS[issue.format];
  if (format !== undefined) return `must be ${format}`;
  const { pattern } = issue as { readonly pattern?: string };
  return pattern === undefined ? 'the value does not have the expected format' : `must match ${pattern}`;
}
