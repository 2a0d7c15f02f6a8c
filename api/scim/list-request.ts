import { type RawBuilder, sql } from 'kysely';
import { type Columns, filterSql } from './filter/filter-sql.ts';
import { attributeName, parseFilter } from './filter/parse-filter.ts';
import type { Json } from './patch.ts';
import { ScimError } from './scim-error.ts';
import type { ListPart } from './tables/scim-users.ts';

/** Parameters of a list, RFC 7644, section 3.4.2. */
export interface ListQuery {
  readonly filter?: string | undefined;
  readonly sortBy?: string | undefined;
  readonly sortOrder?: string | undefined;
  readonly startIndex?: number | undefined;
  readonly count?: number | undefined;
}

export interface Projection {
  /** Comma-separated attributes to return, in addition to those that are always returned. */
  readonly attributes?: string | undefined;
  readonly excludedAttributes?: string | undefined;
}

export const MAX_RESULTS = 200;
const DEFAULT_RESULTS = 100;
const ALWAYS = ['schemas', 'id', 'meta'];
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/**
 * Converts the query of a list to SQL.
 * @throws ScimError for an unsupported filter or order
 */
export function listPart(query: ListQuery, columns: Columns): ListPart {
  // A page before the first means the first, and a negative count means zero (RFC 7644, 3.4.2.4).
  const limit = Math.min(Math.max(query.count ?? DEFAULT_RESULTS, 0), MAX_RESULTS);
  return {
    where: query.filter === undefined ? sql`true` : filterSql(parseFilter(query.filter), columns),
    order: orderOf(query, columns),
    limit,
    offset: startIndexOf(query) - 1,
  };
}

export function startIndexOf({ startIndex = 1 }: ListQuery): number {
  return Math.max(startIndex, 1);
}

function orderOf({ sortBy, sortOrder }: ListQuery, columns: Columns): RawBuilder<unknown> {
  const name = sortBy === undefined ? 'meta.created' : attributeName(sortBy);
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (column === undefined || column.type === 'ids')
    throw new ScimError(400, `lists are not sorted by "${sortBy}"`, 'invalidValue');
  const key = column.type === 'text' && column.exact !== true ? sql`lower(${column.sql})` : column.sql;
  return sortOrder === 'descending' ? sql`${key} DESC NULLS LAST` : sql`${key} ASC NULLS LAST`;
}

export function listResponse(resources: readonly Json[], total: number, query: ListQuery): Json {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex: startIndexOf(query),
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

/** Selects the attributes that the client requested. */
export function project(resource: Json, { attributes, excludedAttributes }: Projection): Json {
  const names = (text: string) => text.split(',').map((name) => attributeName(name.trim()));
  if (attributes !== undefined) {
    const wanted = names(attributes);
    return pick(resource, (name) => ALWAYS.includes(name) || wanted.some((one) => one.split('.')[0] === name));
  }
  if (excludedAttributes === undefined) return resource;
  const excluded = names(excludedAttributes);
  return pick(resource, (name) => ALWAYS.includes(name) || !excluded.includes(name));
}

function pick(resource: Json, keep: (name: string) => boolean): Json {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => keep(name.toLowerCase())));
}
