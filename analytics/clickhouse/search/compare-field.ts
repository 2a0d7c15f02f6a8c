import { parseTimestamp } from '#schemas/events/timestamp.ts';
import { SearchError } from '../../search/search-error.ts';
import type { Operator, SearchValue } from '../../search/syntax-tree.ts';
import { nanosText } from '../read-models/filters.ts';
import { textContains, wildcardPattern } from './match-text.ts';
import type { Place } from './place.ts';
import type { SearchField } from './search-field.ts';

const MAX_UINT64 = 2n ** 64n - 1n;
const NUMBER = /^(?:0x[0-9a-f]{1,16}|\d{1,20})$/i;
const DATE = /^\d{4}-\d\d-\d\d$/;

/**
 * Returns SQL that is true for records whose field matches the comparison, and never for records without the field.
 * Throws `SearchError`.
 */
export function compareField(field: SearchField, operator: Operator, value: SearchValue, place: Place): string {
  const { column, type } = field;
  if (!value.quoted && value.text.toLowerCase() === 'null') return compareNull(field, operator, value);
  const equality = operator === '=' || operator === '!=';
  if (operator === '!=') return `NOT ifNull(${compareField(field, '=', value, place)}, false)`;
  switch (type) {
    case 'number':
      return compareNumber(column, operator, value, place);
    case 'time': {
      const instant = parseTimestamp(DATE.test(value.text) ? `${value.text}T00:00:00Z` : value.text);
      if (instant === undefined) throw new SearchError('must be a date or an RFC 3339 time', value.at);
      return `${column} ${operator} fromUnixTimestamp64Nano(${place(nanosText(instant), 'Int64')}, 'UTC')`;
    }
    case 'name':
    case 'list':
    case 'text':
      if (!equality) throw new SearchError('< and > apply to numbers, times and severities only', value.at);
      return compareText(field, value, place);
    default:
      return compareOrdered(column, type, operator, value, place);
  }
}

function compareNull({ column, nullable, type }: SearchField, operator: Operator, { at }: SearchValue): string {
  if (operator !== '=' && operator !== '!=') throw new SearchError('null can be compared with = and != only', at);
  const isNull = type === 'list' ? `empty(${column})` : nullable ? `${column} IS NULL` : 'false';
  return operator === '=' ? isNull : `NOT (${isNull})`;
}

function compareNumber(column: string, operator: Operator, value: SearchValue, place: Place): string {
  const [first = '', last, ...more] = value.text.split('..');
  if (last === undefined) return `${column} ${operator} ${place(numberOf(value.text, value.at), 'UInt64')}`;
  if (more.length > 0 || operator !== '=') throw new SearchError('a range is written FIELD:FROM..TO', value.at);
  const from = place(numberOf(first, value.at), 'UInt64');
  const to = place(numberOf(last, value.at + first.length + 2), 'UInt64');
  return `(${column} >= ${from} AND ${column} <= ${to})`;
}

function numberOf(text: string, at: number): string {
  const number = NUMBER.test(text) ? BigInt(text) : undefined;
  if (number === undefined || number > MAX_UINT64)
    throw new SearchError('must be a whole number of 64 bits, decimal or as 0x…', at);
  return String(number);
}

function compareText({ column, type }: SearchField, value: SearchValue, place: Place): string {
  if (type === 'text') return textContains(column, value, place);
  const pattern = wildcardPattern(value);
  if (type === 'list')
    return pattern === undefined
      ? `has(${column}, ${place(value.text, 'String')})`
      : `arrayExists(one -> one LIKE ${place(pattern, 'String')}, ${column})`;
  return pattern === undefined
    ? `${column} = ${place(value.text, 'String')}`
    : `${column} LIKE ${place(pattern, 'String')}`;
}

/** Compares a field with a fixed, ordered set of names. */
function compareOrdered(
  column: string,
  names: readonly string[],
  operator: Operator,
  { text, at }: SearchValue,
  place: Place,
): string {
  const index = names.indexOf(text.toLowerCase());
  if (index < 0) throw new SearchError(`must be one of ${names.join(', ')}`, at);
  const chosen = names.filter((_, i) => {
    if (operator === '>') return i > index;
    if (operator === '>=') return i >= index;
    if (operator === '<') return i < index;
    return operator === '<=' ? i <= index : i === index;
  });
  return `${column} IN ${place(chosen, 'Array(String)')}`;
}
