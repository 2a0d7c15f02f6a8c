import { type RawBuilder, sql } from 'kysely';
import { ScimError } from '../scim-error.ts';
import type { Filter, FilterValue, Operator } from './parse-filter.ts';

/** Representation of an attribute in a query. */
export type Column =
  /** `exact`: case-sensitive. */
  | { readonly type: 'text'; readonly sql: RawBuilder<string | null>; readonly exact?: boolean }
  | { readonly type: 'boolean'; readonly sql: RawBuilder<boolean> }
  | { readonly type: 'time'; readonly sql: RawBuilder<Date | null> }
  /** A list of ids: only `eq` and `pr` apply. */
  | { readonly type: 'ids'; readonly has: (id: string) => RawBuilder<boolean>; readonly any: RawBuilder<boolean> };

export type Columns = Readonly<Record<string, Column>>;

type Condition = RawBuilder<boolean>;

/**
 * Converts a filter to a condition of PostgreSQL. Values are parameters, never part of the query text.
 * @throws ScimError invalidFilter for attributes that are not in `columns`, and for values of a wrong type
 */
export function filterSql(filter: Filter, columns: Columns, prefix = ''): Condition {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map((one) => filterSql(one, columns, prefix));
      return sql`(${sql.join(parts, filter.kind === 'and' ? sql` AND ` : sql` OR `)})`;
    }
    case 'not':
      return sql`(NOT coalesce(${filterSql(filter.filter, columns, prefix)}, false))`;
    case 'element':
      return filterSql(filter.filter, columns, `${filter.attribute}.`);
    case 'present': {
      const column = columnOf(columns, prefix + filter.attribute);
      if (column.type === 'ids') return column.any;
      return sql`(${column.sql} IS NOT NULL)`;
    }
    case 'compare':
      return compare(columnOf(columns, prefix + filter.attribute), filter.operator, filter.value);
  }
}

function columnOf(columns: Columns, attribute: string): Column {
  const column = Object.hasOwn(columns, attribute) ? columns[attribute] : undefined;
  if (column === undefined) throw invalid(`"${attribute}" cannot be filtered by`);
  return column;
}

function compare(column: Column, operator: Operator, value: FilterValue): Condition {
  if (column.type === 'ids') {
    if (operator !== 'eq' || typeof value !== 'string') throw invalid('members are compared by eq with an id');
    return column.has(value);
  }
  if (value === null) {
    if (operator === 'eq') return sql`(${column.sql} IS NULL)`;
    if (operator === 'ne') return sql`(${column.sql} IS NOT NULL)`;
    throw invalid('null is compared by eq and ne');
  }
  if (column.type === 'boolean') {
    // Some clients send the string "true".
    const truth =
      typeof value === 'string'
        ? ({ true: true, false: false } as Record<string, boolean>)[value.toLowerCase()]
        : value;
    if (typeof truth !== 'boolean' || (operator !== 'eq' && operator !== 'ne'))
      throw invalid('true and false are compared by eq and ne');
    return operator === 'eq' ? sql`(${column.sql} = ${truth})` : sql`(${column.sql} <> ${truth})`;
  }
  if (typeof value !== 'string') throw invalid('must be a text');
  if (column.type === 'time') {
    if (Number.isNaN(Date.parse(value)) || ['co', 'sw', 'ew'].includes(operator))
      throw invalid('a time is compared with a time, by eq, ne, gt, ge, lt or le');
    return sql`(${column.sql} ${signOf(operator)} ${new Date(value)}::timestamptz)`;
  }
  return compareText(
    column.exact === true ? column.sql : sql`lower(${column.sql})`,
    operator,
    column.exact === true ? value : value.toLowerCase(),
  );
}

function compareText(column: RawBuilder<string | null>, operator: Operator, value: string): Condition {
  // PostgreSQL cannot store NUL, so nothing equals a text with NUL.
  if (value.includes('\0')) return operator === 'ne' ? sql`true` : sql`false`;
  switch (operator) {
    case 'ne':
      return sql`(${column} IS DISTINCT FROM ${value})`;
    case 'co':
      return sql`(strpos(${column}, ${value}) > 0)`;
    case 'sw':
      return sql`starts_with(${column}, ${value})`;
    case 'ew':
      return sql`(right(${column}, length(${value})) = ${value})`;
    default:
      return sql`(${column} ${signOf(operator)} ${value})`;
  }
}

function signOf(operator: Operator): RawBuilder<unknown> {
  switch (operator) {
    case 'ne':
      return sql`<>`;
    case 'gt':
      return sql`>`;
    case 'ge':
      return sql`>=`;
    case 'lt':
      return sql`<`;
    case 'le':
      return sql`<=`;
    default:
      return sql`=`;
  }
}

function invalid(detail: string): ScimError {
  return new ScimError(400, detail, 'invalidFilter');
}
